import { cents, type Instant } from '#domain/units.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import { shownOffers } from '#sandbox/world/offers.ts';
import { MARKETPLACE_ID, SELLER_ID } from './amazon-auth.ts';
import { offersView } from './offers-view.ts';

interface OfferChange {
  readonly number: number;
  readonly subscriptionId: string;
  readonly changedAt: Instant;
  readonly now: Instant;
}

/** ANY_OFFER_CHANGED: the content of the pricing call, with capitalized names and without marking our offer. */
export function offerNotification(
  item: MarketItem,
  { number, subscriptionId, changedAt, now }: OfferChange,
): string {
  const { Summary, Offers } = offersView(item, 'New', true);
  const moment = new Date(now).toISOString();
  return JSON.stringify({
    NotificationVersion: '1.0',
    NotificationType: 'ANY_OFFER_CHANGED',
    PayloadVersion: '1.0',
    EventTime: moment,
    NotificationMetadata: {
      ApplicationId: 'amzn1.sellerapps.app.sandbox',
      SubscriptionId: subscriptionId,
      PublishTime: moment,
      NotificationId: `notification-${number}`,
    },
    Payload: {
      AnyOfferChangedNotification: {
        SellerId: SELLER_ID,
        OfferChangeTrigger: {
          MarketplaceId: MARKETPLACE_ID,
          ASIN: item.itemId,
          ItemCondition: 'New',
          TimeOfOfferChange: new Date(changedAt).toISOString(),
          OfferChangeType: 'External',
        },
        Summary: { ...summaryOf(Summary), ...referencesOf(item) },
        Offers: Offers.map(({ MyOffer: _, ...offer }) => ({
          ...offer,
          SubCondition: 'New',
          ShippingTime: {
            MinimumHours: offer.ShippingTime.minimumHours,
            MaximumHours: offer.ShippingTime.maximumHours,
            AvailabilityType: offer.ShippingTime.availabilityType,
            AvailableDate: moment,
          },
          PrimeInformation: {
            IsOfferPrime: offer.PrimeInformation.IsPrime,
            IsOfferNationalPrime: offer.PrimeInformation.IsNationalPrime,
          },
          Points: { PointsNumber: 0 },
          ShipsFrom: { Country: 'US', State: 'IL' },
          IsExpeditedShippingAvailable: false,
          ShipsDomestically: true,
          ShipsInternationally: false,
        })),
      },
    },
  });
}

/** Reference prices. */
function referencesOf(item: MarketItem) {
  const lowest = shownOffers(item)[0]?.landed ?? item.price;
  const money = (amount: number) => ({ Amount: dollars(cents(Math.round(amount))), CurrencyCode: 'USD' });
  return {
    ListPrice: money(lowest * 1.3),
    MinimumAdvertisedPrice: money(lowest * 0.5),
    SuggestedLowerPricePlusShipping: money(lowest),
    CompetitivePriceThreshold: money(lowest * 1.02),
  };
}

/** Buy box entries have no seller in this notification. */
function summaryOf(summary: ReturnType<typeof offersView>['Summary']) {
  const counts = summary.NumberOfOffers.map(({ condition, fulfillmentChannel, OfferCount }) => ({
    Condition: condition,
    FulfillmentChannel: fulfillmentChannel,
    OfferCount,
  }));
  return {
    NumberOfOffers: counts,
    LowestPrices: summary.LowestPrices.map(({ condition, fulfillmentChannel, ...prices }) => ({
      Condition: condition,
      FulfillmentChannel: fulfillmentChannel,
      ...prices,
    })),
    BuyBoxPrices: summary.BuyBoxPrices.map(({ condition: _, sellerId: _seller, ...prices }) => ({
      Condition: 'new',
      ...prices,
    })),
    TotalBuyBoxEligibleOffers: summary.TotalOfferCount,
    SalesRankings: summary.SalesRankings,
    NumberOfBuyBoxEligibleOffers: counts,
  };
}
