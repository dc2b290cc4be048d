import { z } from 'zod';
import type { MarketOffer } from '#connectors/connector.ts';
import { Dollars, PriceOrNull } from '#connectors/dollars.ts';
import type { OfferEvent } from '#connectors/marketplace-events.ts';
import { readableOf, tolerant } from '#connectors/passed-over.ts';
import { isMarketplaceItself, sellerKey } from '#domain/competition/offer.ts';

const Id = z.union([z.string(), z.number()]).transform(String).nullish();
const Text = z.string().max(500).nullish();

const EventOffer = z.object({
  sellerName: Text,
  partnerId: Id,
  sellerOfferPrice: PriceOrNull,
  sellerShippingPrice: Dollars.nullish(),
  isWFS: z.boolean().nullish(),
  itemCondition: Text,
});
type EventOffer = z.output<typeof EventOffer>;

/** The body of BUY_BOX_CHANGED, as Walmart's page of March 2026 describes it. */
const BoxEvent = z.object({
  payload: z.object({
    partnerId: Id,
    itemInfo: z.object({
      itemCondition: Text,
      totalNumberOfOffers: z.int().min(0).nullish(),
    }),
    offer: z.object({
      currentOffer: z.object({ sellerName: Text }).nullish(),
      winningOffer: EventOffer.nullish(),
      offers: z.array(tolerant(EventOffer, 'sellerName', 'partnerId')).max(100),
    }),
  }),
});

/**
 * The offers of a BUY_BOX_CHANGED event: the first five in the condition of the item, by landed price. One that cannot be
 * read is passed over, and they are then not all.
 * @returns null where they say nothing about competitors: unreadable, also the winner alone, of an item that is not new, or
 * fewer than there are and all of them ours
 */
export function offersOfEvent(body: unknown): OfferEvent | null {
  const event = BoxEvent.safeParse(body);
  if (!event.success) return null;
  const { partnerId, itemInfo, offer } = event.data.payload;
  if (!isNew(itemInfo.itemCondition)) return null;
  const ours = sellerKey(offer.currentOffer?.sellerName);
  const isOurs = ({ partnerId: id, sellerName }: EventOffer): boolean =>
    id != null && partnerId != null ? id === partnerId : ours !== null && sellerKey(sellerName) === ours;
  const readable = readableOf(offer.offers);
  const listed = readable.filter(({ itemCondition }) => isNew(itemCondition));
  const offers = listed.flatMap((each) => marketOffer(each, isOurs(each), offer.winningOffer ?? null));
  const total = itemInfo.totalNumberOfOffers ?? null;
  const isWhole = total !== null && offers.length === total && readable.length === offer.offers.length;
  if (!isWhole && offers.every((each) => each.isOurs)) return null;
  return { offers, coverage: isWhole ? 'all' : 'top' };
}

/** Our listings there are new items. */
function isNew(condition: string | null | undefined): boolean {
  return condition == null || condition.trim().toLowerCase() === 'new';
}

/** None where price or shipping is not stated: an unknown charge is not zero. */
function marketOffer(offer: EventOffer, isOurs: boolean, winner: EventOffer | null): MarketOffer[] {
  const { sellerName, sellerOfferPrice: price, sellerShippingPrice: shipping, isWFS } = offer;
  if (price === null || shipping == null) return [];
  const name = sellerName?.trim() || null;
  return [
    {
      sellerName: name,
      isMarketplace: isMarketplaceItself(sellerKey(name?.replaceAll(/\s/g, '')), 'walmart'),
      isOurs,
      price,
      shipping,
      fulfillmentType: isWFS == null ? null : isWFS ? 'FBA/WFS' : 'FBM',
      isFeatured: winner !== null && isSame(offer, winner),
      rating: null,
      ratingCount: null,
      handlingDays: null,
    },
  ];
}

function isSame(offer: EventOffer, winner: EventOffer): boolean {
  return (
    sellerKey(offer.sellerName) === sellerKey(winner.sellerName) &&
    offer.sellerOfferPrice === winner.sellerOfferPrice
  );
}
