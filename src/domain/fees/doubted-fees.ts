import type { ListingFacts } from '#domain/facts.ts';

/** Whether a fee is in force that was told for many listings at once, and that no administrator has accepted. */
export function areFeesDoubted({ fees }: Pick<ListingFacts, 'fees'>): boolean {
  return fees?.basis.source.kind === 'told' && fees.basis.source.isDoubted === true;
}
