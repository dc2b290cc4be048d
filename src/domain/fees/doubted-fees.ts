import type { ListingFacts } from '#domain/facts.ts';

/** Whether a fee is in force that was told for many listings at once, and that no administrator has accepted. */
export function areFeesDoubted({ fees }: Pick<ListingFacts, 'fees'>): boolean {
  if (fees === null) return false;
  const { source, fulfillment } = fees.basis;
  return (source.kind === 'told' && source.isDoubted === true) || fulfillment.some((step) => step.isDoubted);
}
