import { z } from 'zod';
import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type Cents, hours, type Instant, instant, isPrice, minutes, seconds } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { readItem } from './listing-item.ts';
import { stopOf, writeBack } from './price-patch.ts';
import {
  type BusinessMembers,
  comparedOffers,
  KeptOffer,
  keptOffer,
  type PriceForm,
  standardPrice,
} from './purchasable-offer.ts';

/*
 * What a price erased from its offer is written back. Amazon may show that long after the call that sent the price, when
 * prices are read back: so it is kept, and written by the sender alone, also after this process ended.
 */

/** Names what the sender has to finish; see `MarketplaceConnector.finishWrites`. */
const WRITES_FINDING = 'unfinished_writes';
/** A write that Amazon did not answer is tried again after this. */
const TRY_AGAIN = minutes(5);
/** Later the seller may have changed the offer: the alert says what is missing. */
const GIVEN_UP_AFTER = hours(2);
/** Milliseconds within which one is sent after the listing was read. */
const SENT_WITHIN = seconds(20);

const Price = z.custom<Cents>((price) => isPrice(price as number));
const Moment = z.number().transform((at): Instant => instant(at));

/** The business prices that went with a price. */
export const SentBusiness = z.object({
  price: Price.nullable(),
  tiers: z.array(z.object({ from: z.int(), price: Price })),
}) satisfies z.ZodType<BusinessMembers>;

/** An offer from which a price erased something. */
export interface ErasedOffer extends PriceForm {
  readonly sku: string;
  /** What Amazon shows: the write sends the same. */
  readonly price: Cents;
  readonly business: BusinessMembers | null;
  /** The offer before the price was sent, without what was sent. */
  readonly before: KeptOffer;
  readonly foundAt: Instant;
  readonly nextAt: Instant;
  /** What is known of the account once this is written. */
  readonly finding: { readonly name: string; readonly value: object };
}

const Erased = z.object({
  sku: z.string(),
  price: Price,
  business: SentBusiness.nullable(),
  before: KeptOffer,
  isQuoted: z.boolean(),
  foundAt: Moment,
  nextAt: Moment,
  finding: z.object({ name: z.string(), value: z.record(z.string(), z.unknown()) }),
}) satisfies z.ZodType<ErasedOffer>;

/** Keeps an offer until what is missing was written back. */
export async function keepErased(
  shop: AmazonShop,
  offer: Omit<ErasedOffer, 'foundAt' | 'nextAt'>,
  now: Instant,
): Promise<ErasedOffer> {
  const erased = { ...offer, foundAt: now, nextAt: now };
  await replaceKept(shop, erased, erased);
  return erased;
}

/** SKUs whose offers are to be written back: no other price may be overwritten by that. */
export async function erasedSkus(shop: AmazonShop): Promise<ReadonlySet<string>> {
  return new Set((await keptOffers(shop)).map(({ sku }) => sku));
}

/** The price of a listing whose offer is written back first. */
export function waitsForWriteBack({ ref: { listingId } }: PriceOrder): SendOutcome {
  const message = 'What the last price removed from the offer is written back first.';
  return { listingId, kind: 'not_sent', message, retryAfter: null, othersMayGo: true };
}

/** Writes back what was kept. Throws no ConnectorError. */
export async function writeBackErased(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): Promise<void> {
  for (const erased of await keptOffers(shop)) {
    if (calls.now() < erased.nextAt || signal.aborted) continue;
    const notAfter = instant(calls.now() + SENT_WITHIN);
    await restoreOffer(calls, shop, erased, { pastReason: null, notAfter }, signal);
  }
}

/**
 * Writes an offer back as it was, with the price that Amazon shows, unless another price is shown, the seller is editing
 * the offer, or a check of the moment of sending forbids the price. Throws no ConnectorError: without an answer it is
 * tried again.
 * @returns whether all of it is there again
 */
export async function restoreOffer(
  calls: AmazonCalls,
  shop: AmazonShop,
  erased: ErasedOffer,
  terms: Pick<PriceOrder, 'pastReason' | 'notAfter'>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const isRestored = await restoredNow(calls, shop, erased, terms, signal);
    if (isRestored) await shop.findings?.write(erased.finding.name, erased.finding.value, null);
    await replaceKept(shop, erased, null);
    return isRestored;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const isOver = calls.now() - erased.foundAt >= GIVEN_UP_AFTER;
    await replaceKept(shop, erased, isOver ? null : { ...erased, nextAt: instant(calls.now() + TRY_AGAIN) });
    return false;
  }
}

async function restoredNow(
  calls: AmazonCalls,
  shop: AmazonShop,
  { sku, price, business, before, isQuoted }: ErasedOffer,
  { pastReason, notAfter }: Pick<PriceOrder, 'pastReason' | 'notAfter'>,
  signal: AbortSignal,
): Promise<boolean> {
  const item = await readItem(calls, shop, sku, ['summaries', 'attributes', 'issues'], signal);
  if (item === null || standardPrice(item.attributes, shop) !== price) return false;
  const { lost, isErased } = comparedOffers(before, keptOffer(item.attributes, shop, business));
  if (!isErased) return lost.length === 0;
  if (stopOf(item, shop, { price, pastReason: pastReason ?? null }, calls.now()) !== null) return false;
  return writeBack(calls, shop, { item, before, price, business }, { isQuoted, notAfter }, signal);
}

async function keptOffers({ findings }: AmazonShop): Promise<readonly ErasedOffer[]> {
  const kept = z.array(z.unknown()).safeParse(await findings?.read(WRITES_FINDING));
  return (kept.data ?? []).flatMap((one) => Erased.safeParse(one).data ?? []);
}

/** @param by null: it is kept no longer */
async function replaceKept(
  shop: AmazonShop,
  { finding }: ErasedOffer,
  by: ErasedOffer | null,
): Promise<void> {
  const others = (await keptOffers(shop)).filter((one) => one.finding.name !== finding.name);
  await shop.findings?.write(WRITES_FINDING, by === null ? others : [...others, by], null);
}
