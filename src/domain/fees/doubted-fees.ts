import type { ListingFacts } from '#domain/decision/facts.ts';

/** Whether a fee is in force that was told for many listings at once, and that no administrator has accepted. */
export function areFeesDoubted({ fees }: Pick<ListingFacts, 'fees'>): boolean {
  if (fees === null) return false;
  const { source, fulfillment } = fees.basis;
  if (source.kind === 'told' && source.isDoubted === true) return true;
  for (const step of fulfillment) if (step.isDoubted) return true;
  return false;
}
