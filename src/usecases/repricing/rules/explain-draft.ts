import type { DraftExplanation } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import { explain } from '#domain/decision/explain.ts';
import type { Instant } from '#domain/units.ts';
import { listingNotFound } from '#usecases/catalog/listings/find-listing.ts';
import { tracedLines } from '#usecases/repricing/explanations/traced-lines.ts';
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import { loadDraftShop } from './draft-shop.ts';
import { previewedListing } from './previewed-listing.ts';

/**
 * What a rule would do with one listing in place of a stored rule, line by line. Reads only.
 * @param id the stored rule; null adds the draft as the newest
 * @throws AppError not_found for the rule or the listing; validation_failed when a line is refused
 */
export async function explainDraft(
  db: Db,
  id: number | null,
  write: RuleWrite,
  listingId: number,
  now: Instant,
): Promise<DraftExplanation> {
  const { planned, draft } = await loadDraftShop(db, id, write, now);
  const decided = (await decideListings(db, planned, [listingId])).find(
    ({ pricingInput }) => pricingInput.listing.id === listingId,
  );
  if (decided === undefined) throw listingNotFound(listingId);
  const { facts, choice, policy } = decided.pricingInput;
  const isDraft = choice.rule?.id === draft.id;
  const { trace } = explain(facts, choice, policy);
  return {
    listing: previewedListing(decided),
    otherRule: isDraft || choice.rule === null ? null : { id: choice.rule.id, name: choice.rule.name },
    isPriced: isDraft,
    situation: isDraft ? (trace.lines?.situation ?? null) : null,
    lines: isDraft && draft.lines !== null ? tracedLines(draft.lines, trace.lines?.each ?? []) : [],
  };
}
