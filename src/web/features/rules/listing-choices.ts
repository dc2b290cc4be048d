import { ListingsPage } from '#contract/listings.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';
import type { ComboboxSource } from '#web/ui/combobox.tsx';

/** A listing whose way through the lines of a rule is shown. */
export interface ListingChoice {
  readonly listingId: string;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly title: string;
  /** The current price. */
  readonly price: string;
}

/** The most that are offered at once. */
const OPTIONS = 20;

/** Listings by part of SKU or title. */
export const LISTING_CHOICES: ComboboxSource<ListingChoice> = {
  queryKey: ['rule preview', 'listing choices'],
  find: async (text) => {
    const search = new URLSearchParams(text === '' ? {} : { q: text });
    const { rows, total } = await call(ListingsPage, 'GET', `/api/listings?${search}`);
    const options = rows.slice(0, OPTIONS).map(({ id, marketplace, sku, title, currentPrice }) => ({
      listingId: id,
      marketplace,
      sku,
      title,
      price: currentPrice,
    }));
    return { options, hasMore: total > options.length };
  },
};
