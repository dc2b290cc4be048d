import type { DraftExplanation, TracedLine } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { explain, type LineTrace } from '#domain/decision/explain.ts';
import type { Line } from '#domain/lines/line.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { listingNotFound } from '#usecases/catalog/listings/find-listing.ts';
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

/** All lines: those below the deciding one are not reached. */
function tracedLines(lines: readonly Line[], traces: readonly LineTrace[]): TracedLine[] {
  const texts = printLines(lines).split('\n');
  return texts.map((text, index) => {
    const trace = traces.find(({ line }) => line === index + 1);
    if (trace === undefined) return { ...NOT_REACHED, line: index + 1, text };
    const { status, condition, value, want, least, restsUntil } = trace;
    return {
      line: index + 1,
      text,
      status,
      condition,
      value,
      want: priceOf(want),
      least: priceOf(least),
      restsUntil: restsUntil === null ? null : new Date(restsUntil).toISOString(),
    };
  });
}

const NOT_REACHED = {
  status: 'not_asked',
  condition: null,
  value: null,
  want: null,
  least: null,
  restsUntil: null,
} as const;

/** A line may ask for a price below zero, such as $5 under a cheaper competitor. */
function priceOf(price: number | null): string | null {
  return price === null ? null : decimalFromCents(Math.round(price) as Cents);
}
