import type { BestOfferLimits, RaiseOrder, RaiseOutcome } from '#connectors/auto-accept-raises.ts';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { isFiner } from '#connectors/dollars.ts';
import { type EbayCalls, NAME } from '#connectors/ebay/ebay-calls.ts';
import { errorOutcome } from '#connectors/send-error.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { raisedAutoAccept } from '#domain/sending/raised-auto-accept.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, hours } from '#domain/units.ts';
import { isKeptForUrgent } from './kept-for-urgent.ts';
import type { SellerListings } from './seller-listings.ts';
import { callTrading } from './trading-call.ts';
import { readItem } from './trading-changes.ts';
import { limitsInForce, type TradingItem } from './trading-item.ts';
import { itemIdOf } from './trading-ref.ts';

/** A sale lasts for days; the seller's conditions count again after it. */
const AFTER_SALE = hours(1);
/** A raise is tried once an hour at most. */
const CALLS_AGAIN = hours(1);

/**
 * Best Offers of listings outside of the Inventory model. Not of those in it: there the whole offer, its quantity
 * included, would have to be written (updateOffer), and a sale between reading and writing would be undone.
 */
export function ebayBestOffers(calls: EbayCalls, book: SellerListings): BestOfferLimits {
  return {
    isWanted: ({ credentials }) => credentials.raiseBestOffers?.trim() === 'yes',
    raise: async (account, order, signal) => {
      try {
        return await raise({ calls, book, account, signal }, order);
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error;
        return failed(error);
      }
    },
  };
}

interface Caller {
  readonly calls: EbayCalls;
  readonly book: SellerListings;
  readonly account: Account;
  readonly signal: AbortSignal;
}

async function raise(caller: Caller, { ref, allowed, refused, notAfter }: RaiseOrder): Promise<RaiseOutcome> {
  const { calls, book, account, signal } = caller;
  const itemId = itemIdOf(ref);
  if (itemId === null) return notAsked(`${NAME} returned no number of this listing.`);
  if (isKeptForUrgent(calls, 'trading') || isKeptForUrgent(calls, 'trading_items')) {
    const message = `The last calls of the day to ${NAME}'s Trading API are kept for prices.`;
    return { kind: 'not_sent', message, retryAfter: CALLS_AGAIN };
  }
  const item = await readItem(calls, book, account, itemId, signal);
  const autoAccept = autoAcceptOf(item);
  const [offer] = item?.offers ?? [];
  if (item === null || autoAccept === null || offer === undefined || offer.currency !== 'USD') {
    return { kind: 'unneeded', autoAccept };
  }
  if (offer.saleEnds !== null || book.isInSale(account, itemId) === true) {
    return { kind: 'not_sent', message: `A sale of ${NAME}'s is running.`, retryAfter: AFTER_SALE };
  }
  if (offer.price === null || isFiner(offer.price)) {
    return {
      kind: 'not_sent',
      message: `${NAME} named no price that could be read.`,
      retryAfter: AFTER_SALE,
    };
  }
  const to = raisedAutoAccept({ autoAccept, price: offer.price, allowed });
  if (to === null) return { kind: 'unneeded', autoAccept };
  const { autoDecline } = limitsInForce(item);
  const tooHigh = declinesTooMuch(autoDecline, offer.price, to);
  if (tooHigh !== null) return notAsked(tooHigh);
  const asked = [offer.price, autoAccept, autoDecline, to].join(' ');
  if (asked === refused) return { kind: 'refused', message: null, asked };
  const call = {
    name: 'ReviseFixedPriceItem',
    operation: 'trading',
    content: contentOf(itemId, to, item),
    changes: { notAfter },
  } as const;
  const { isFailure, errors } = await callTrading(calls, account, call, signal);
  if (isFailure) {
    const said = errors[0] === undefined ? '' : ` ${NAME} says: ${errors[0].message}`;
    return { kind: 'refused', message: `${NAME} refused to raise it.${said}`, asked };
  }
  return readBack(caller, itemId, autoAccept, to);
}

function notAsked(message: string): RaiseOutcome {
  return { kind: 'refused', message, asked: null };
}

/** Why eBay would refuse (22003, 23005): offers have to be declined below the price, and below where they are accepted. */
function declinesTooMuch(autoDecline: Cents | null, price: Cents, to: Cents): string | null {
  if (autoDecline === null || (autoDecline < price && autoDecline < to)) return null;
  const below = moneyText(autoDecline < price ? to : price);
  return `${NAME} declines Best Offers up to ${moneyText(autoDecline)}. That must be below ${below}: lower it on ${NAME}.`;
}

/** What the listing shows decides: eBay answers a revision that dropped a part of it with a warning. */
async function readBack(
  { calls, book, account, signal }: Caller,
  itemId: string,
  from: Cents,
  to: Cents,
): Promise<RaiseOutcome> {
  const message = `${NAME} does not show it yet.`;
  try {
    const shown = autoAcceptOf(await readItem(calls, book, account, itemId, signal));
    return shown === to ? { kind: 'raised', from, to } : { kind: 'unknown', message };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return { kind: 'unknown', message };
  }
}

/** Only where a listing is for sale: Best Offer is not available for those with variations. */
function autoAcceptOf(item: TradingItem | null): Cents | null {
  if (item === null || !item.isActive || !item.isFixedPrice || item.hasVariations) return null;
  return item.bestOffer?.isOn === true ? item.bestOffer.autoAccept : null;
}

/**
 * Only what is named changes. The price below which offers are declined is named as it is, since a revision without it
 * may drop it (https://developer.ebay.com/support/kb-article?KBid=880). The elements are in the schema's order.
 */
function contentOf(itemId: string, to: Cents, { bestOffer }: TradingItem): string {
  const decline = bestOffer?.autoDecline ?? null;
  const least = decline === null ? '' : amount('MinimumBestOfferPrice', decline);
  const details = `<ListingDetails>${least}${amount('BestOfferAutoAcceptPrice', to)}</ListingDetails>`;
  const enabled = '<BestOfferDetails><BestOfferEnabled>true</BestOfferEnabled></BestOfferDetails>';
  return `<ErrorLanguage>en_US</ErrorLanguage><WarningLevel>High</WarningLevel><Item><ItemID>${itemId}</ItemID>${details}${enabled}</Item>`;
}

function amount(name: string, value: Cents): string {
  return `<${name} currencyID="USD">${decimalFromCents(value)}</${name}>`;
}

function failed(error: ConnectorError): RaiseOutcome {
  const { kind } = errorOutcome(0, error);
  const { publicMessage: message, retryAfter } = error;
  if (kind === 'unknown') return { kind, message };
  if (kind === 'rejected') return notAsked(message);
  const until = error.dayLimit === null ? null : hours(1);
  return { kind: 'not_sent', message, retryAfter: retryAfter ?? until };
}
