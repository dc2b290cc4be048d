import { z } from 'zod';
import { PriceLag } from './price-lag.ts';
import { SELLER_EDITS } from './seller-edits.ts';

/** How one marketplace misbehaves, as real ones do. Everything is off by default. */
export const QuirkPlan = z.strictObject({
  lag: PriceLag.optional(),
  /** eBay's revisions of a listing. */
  revisions: z
    .strictObject({
      /** Allowed a day; 250 by default. */
      perDay: z.int().min(1).max(100_000).optional(),
      /** Whether a call with a single price is refused as a whole, with the status 400. */
      refusesCall: z.boolean().optional(),
    })
    .optional(),
  /** The share of eBay's migrations of a listing that fail for no reason of the seller's. */
  migrationsFail: z.number().min(0).max(1).optional(),
  /** Hours for which Walmart accepts no price of a new item. */
  tooNewHours: z.number().min(0).max(8_760).optional(),
  /** Who else changes prices of ours. */
  hands: z
    .strictObject({
      /** The seller on the marketplace's pages: edits of a listing a day, and their kinds, all of them by default. */
      seller: z
        .strictObject({
          perDay: z.number().min(0).max(1_000),
          kinds: z.array(z.enum(SELLER_EDITS)).min(1).optional(),
        })
        .optional(),
      /** Another program, which moves these listings up and down by a cent, all of them by default. */
      tool: z
        .strictObject({
          everyMinutes: z.number().min(1).max(100_000),
          skus: z.array(z.string()).optional(),
        })
        .optional(),
    })
    .optional(),
  /** What becomes of accepted prices, as shares of them. */
  effects: z
    .strictObject({
      /** Accepted and never live. */
      neverLive: z.number().min(0).max(1).optional(),
      /** Live, and minutes later the former price is there again. */
      fallsBack: z.number().min(0).max(1).optional(),
      fallsBackAfterMinutes: z.number().min(0).max(100_000).optional(),
      /** Live so many minutes later than usual. */
      late: z.number().min(0).max(1).optional(),
      lateByMinutes: z.number().min(0).max(100_000).optional(),
      /** Not replaced by a newer price: both go live, each after its own delay. */
      outOfOrder: z.number().min(0).max(1).optional(),
      /** Refused within a feed whose other prices are accepted. */
      feedFails: z.number().min(0).max(1).optional(),
    })
    .optional(),
  /** How other sellers' offers are reported. */
  told: z
    .strictObject({
      /** Elements of a batch that fail although the call succeeds, as a share. */
      batchFails: z.number().min(0).max(1).optional(),
      /** Added to Amazon's count of offers, which are not listed. */
      uncounted: z.int().min(0).max(1_000).optional(),
      /** Amazon's status of the featured offer's expected price, by SKU. */
      featuredPrice: z.record(z.string(), z.string()).optional(),
      /** Used offers in Walmart's events of new items. */
      usedOffers: z.int().min(0).max(5).optional(),
      /** Events that come twice, as a share. */
      twice: z.number().min(0).max(1).optional(),
      /** Whether errors of Trading calls do not say which entry they concern. */
      vagueErrors: z.boolean().optional(),
      /** Whether Walmart's events do not name the holder of the buy box. */
      unnamedBox: z.boolean().optional(),
    })
    .optional(),
  /** The status instead of an empty list, by operation: { "getAllItems": 404, "getCatalogSearch": 400 }. */
  emptyStatus: z.record(z.string(), z.union([z.literal(400), z.literal(404)])).optional(),
  /** How Etsy takes a new inventory of a listing. */
  inventoryWrites: z
    .strictObject({
      /** One piece of each of these SKUs is sold right before the next write of its listing. */
      soldBefore: z.array(z.string()).optional(),
      /** Whether a write unlinks the pictures of variations. */
      losesPictures: z.boolean().optional(),
    })
    .optional(),
  /** How Amazon takes changes of an offer. */
  offerChanges: z
    .strictObject({
      /** Members of an offer that a merge erases; none by default. */
      mergeErases: z.array(z.string()).optional(),
      /** Whether a merge is refused as invalid. */
      refusesMerge: z.boolean().optional(),
      /** Whether prices must be texts. */
      wantsText: z.boolean().optional(),
    })
    .optional(),
  /** How the lists of our listings are counted and paged. */
  totals: z
    .strictObject({
      /** Added to every total. */
      off: z.int().min(-100).max(100).optional(),
      /** Whether the pages after the first one count one more. */
      changes: z.boolean().optional(),
      /** Seconds after which a cursor is no longer accepted. */
      cursorSeconds: z.number().min(0).max(86_400).optional(),
      /** The number of the page, from 1, whose entries the next page shows again instead of its own. */
      repeatsPage: z.int().min(1).max(100_000).optional(),
      /** The number of the page, from 1, that comes without entries. */
      losesPage: z.int().min(1).max(100_000).optional(),
    })
    .optional(),
});
export type QuirkPlan = z.output<typeof QuirkPlan>;
