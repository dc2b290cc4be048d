import { z } from 'zod';
import type { OfferChange } from '#connectors/offer-messages.ts';
import { instant } from '#domain/units.ts';
import { Id, jsonOf, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { marketOffers, Offers } from './market-offers.ts';

const Money = z.unknown();

/** Notifications spell several names differently than responses do. */
const NotifiedOffer = z.looseObject({
  SubCondition: z.string(),
  ShippingTime: z.object({ MaximumHours: z.unknown() }).nullish(),
});
const NotifiedCount = z.object({ Condition: z.string().nullish(), OfferCount: z.unknown() });
const NotifiedBox = z.object({ Condition: z.string(), LandedPrice: Money });

const Notification = z.object({
  NotificationType: z.literal('ANY_OFFER_CHANGED'),
  NotificationMetadata: z.object({ NotificationId: Id }),
  Payload: z.object({
    AnyOfferChangedNotification: z.object({
      SellerId: Text,
      OfferChangeTrigger: z.object({
        MarketplaceId: Text,
        ASIN: Id,
        ItemCondition: Text,
        TimeOfOfferChange: z.iso.datetime({ offset: true }).transform((text) => instant(Date.parse(text))),
      }),
      Summary: z
        .object({
          NumberOfOffers: z.array(NotifiedCount).nullish(),
          BuyBoxPrices: z.array(NotifiedBox).nullish(),
        })
        .nullish(),
      Offers: z.array(NotifiedOffer),
    }),
  }),
});
type Notification = z.output<typeof Notification>;
type Told = Notification['Payload']['AnyOfferChangedNotification'];

/**
 * Parses a message of Amazon's queue.
 * @returns null for another kind of message, one about another store, an unreadable one, or one that counts more offers
 * than it shows and shows none of a competitor
 */
export function offerChangeOf(text: string, shop: AmazonShop): OfferChange | null {
  const message = Notification.safeParse(jsonOf(text));
  if (!message.success) return null;
  const { AnyOfferChangedNotification: reported } = message.data.Payload;
  const { MarketplaceId, ASIN: itemId, TimeOfOfferChange: changedAt } = reported.OfferChangeTrigger;
  if (reported.SellerId !== shop.sellerId || MarketplaceId !== shop.marketplaceId) return null;
  const condition = capital(reported.OfferChangeTrigger.ItemCondition);
  const answer = Offers.safeParse(asAnswer(reported, condition));
  if (!answer.success) return null;
  const {
    offers,
    isOpen: isWinnerOpen,
    coverage,
  } = marketOffers(answer.data, shop.sellerId, condition, null);
  if (coverage === null) return null;
  const { NotificationId: notificationId } = message.data.NotificationMetadata;
  return { notificationId, itemId, condition, changedAt, offers, coverage, isWinnerOpen };
}

/** The same in the format of getListingOffers. A message lists new and used offers together. */
function asAnswer({ Summary, Offers: all }: Told, condition: string): unknown {
  const isNew = condition === 'New';
  return {
    status: 'Success',
    Summary: {
      NumberOfOffers: Summary?.NumberOfOffers?.map(({ Condition, OfferCount }) => ({
        condition: Condition,
        OfferCount,
      })),
      BuyBoxPrices: (Summary?.BuyBoxPrices ?? []).map(({ Condition, LandedPrice }) => ({
        condition: Condition,
        LandedPrice,
      })),
    },
    Offers: all
      .filter(({ SubCondition }) => (SubCondition.toLowerCase() === 'new') === isNew)
      .map(({ ShippingTime, ...offer }) => ({
        ...offer,
        ShippingTime: { maximumHours: ShippingTime?.MaximumHours ?? null },
      })),
  };
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`;
}
