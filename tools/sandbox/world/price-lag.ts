import { z } from 'zod';

/**
 * The stores of a marketplace, which disagree for a while: a read of one listing, a list or search, a report or feed
 * file, an event, and what is reported about the buy box and other sellers.
 */
export const STORES = ['item', 'list', 'document', 'event', 'box'] as const;
export type Store = (typeof STORES)[number];

/** Shortest and longest delay in seconds; each change draws its own. */
const Delay = z
  .tuple([z.number().min(0).max(31_536_000), z.number().min(0).max(31_536_000)])
  .refine(([from, to]) => from <= to, 'the shortest delay comes first');

/** How long after buyers each store shows a price; a store that is not named shows it at once. */
export const PriceLag = z.partialRecord(z.enum(STORES), Delay);
export type PriceLag = z.output<typeof PriceLag>;
