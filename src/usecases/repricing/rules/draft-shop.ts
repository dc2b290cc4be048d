import type { Db } from '#db/client.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Instant } from '#domain/units.ts';
import { ignoringLabels } from '#usecases/repricing/pricing/ignored-labels.ts';
import {
  loadPricingContext,
  type PricingContext,
  pricingContextFor,
} from '#usecases/repricing/pricing/pricing-context.ts';
import { ruleNotFound } from './rule-refusals.ts';
import { requireUsableRule } from './usable-rule.ts';

/** ID of a draft that is not stored; stored rules have numbers. */
const DRAFT_ID = 'draft';

/** The shop as it is, and as it would be with a rule in place of a stored one, every marketplace live. */
export interface DraftShop {
  readonly today: PricingContext;
  readonly planned: PricingContext;
  /** Active, even if it is to be saved paused, and its schedule applies. */
  readonly draft: Rule;
  /** The rule that the draft replaces; null for a new one. */
  readonly stored: Rule | null;
}

/**
 * @param id the stored rule; null adds the draft as the newest
 * @throws AppError not_found; validation_failed when a line is refused
 */
export async function loadDraftShop(
  db: Db,
  id: number | null,
  write: RuleWrite,
  now: Instant,
): Promise<DraftShop> {
  await requireUsableRule(db, write);
  const today = await loadPricingContext(db, now);
  const stored = id === null ? null : (today.ruleById.get(String(id)) ?? null);
  if (id !== null && stored === null) throw ruleNotFound();
  const [labeled] = await ignoringLabels(db, [write]);
  const draft: Rule = {
    ...(labeled ?? write),
    id: stored?.id ?? DRAFT_ID,
    order: stored?.order ?? Number.MAX_SAFE_INTEGER,
    isActive: true,
    schedule: null,
  };
  return { today, planned: shopWith(today, draft), draft, stored };
}

function shopWith({ facts }: PricingContext, draft: Rule): PricingContext {
  const others = facts.rules.filter(({ id }) => id !== draft.id);
  return pricingContextFor({
    ...facts,
    rules: [...others, draft],
    halted: false,
    live: new Set(MARKETPLACES),
  });
}
