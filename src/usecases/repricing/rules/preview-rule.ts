import type { RulePreview } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { type AlikeIds, readAlikeIds } from '#db/queries/repricing/rule-listings.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import { type ListingKind, usedScope } from '#domain/rules/segment.ts';
import type { Instant } from '#domain/units.ts';
import { PlanToken } from '#usecases/repricing/engine/plan-token.ts';
import type { SeenPlan } from '#usecases/repricing/engine/record-review.ts';
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import type { PricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { loadDraftShop } from './draft-shop.ts';
import { createTally } from './preview-tally.ts';

/** Listings per batch: large enough for set-based statements, small enough for the memory. */
const BATCH_SIZE = 2_000;
/** Concurrent batches: PostgreSQL reads for one while this process decides the other. */
const CONCURRENCY = 2;
/** Listings per search; only their IDs are held in memory. */
const ID_PAGE_SIZE = 20 * BATCH_SIZE;

/** {@link planRule} without its plan. */
export async function previewRule(...requested: Parameters<typeof planRule>): Promise<RulePreview> {
  return (await planRule(...requested)).preview;
}

/** A preview, and what of it the next run would change. */
interface PlannedRule {
  readonly preview: RulePreview;
  /**
   * The changes of the preview on the marketplaces that are live, named as a run names its own (see `PlanToken`); null without
   * any.
   */
  readonly plan: SeenPlan | null;
}

/**
 * Previews the next run with this rule in place of a stored one, as if every marketplace were live. A paused draft counts
 * as active, and its schedule as applying. Reads only, in batches, so that its memory does not grow with the catalog.
 * @param db not a transaction: it reads on more than one connection
 * @param id the stored rule; null adds the draft as the newest
 * @throws AppError not_found; validation_failed when a line is refused
 */
export async function planRule(
  db: Db,
  id: number | null,
  write: RuleWrite,
  now: Instant,
): Promise<PlannedRule> {
  const { today, planned, draft } = await loadDraftShop(db, id, write, now);
  const tally = createTally(draft.lines?.length ?? 0);
  const { live } = today.facts;
  const plan = new PlanToken(live);
  let changes = 0;
  const givenUp = await eachPart(db, today, planned, draft, async (ids) => {
    for (let from = 0; from < ids.length; from += CONCURRENCY * BATCH_SIZE) {
      const lanes = Array.from({ length: CONCURRENCY }, (_, lane) => from + lane * BATCH_SIZE);
      const batches = lanes.map((start) => decideListings(db, planned, ids.slice(start, start + BATCH_SIZE)));
      for (const one of (await Promise.all(batches)).flat()) {
        const { listing, scope } = one.pricingInput;
        if (one.decision.kind === 'change' && live.has(listing.marketplace)) {
          plan.add(listing.id, listing.currentPrice, one.decision.price);
          changes += 1;
        }
        tally.add(one, choiceIn(today, { ...kindOf(listing), scope, ownRuleId: listing.ruleId }));
      }
    }
  });
  return {
    preview: { ...tally.result(), givenUp },
    plan: changes === 0 ? null : { token: plan.text(), changes, live },
  };
}

/**
 * Hands the IDs of the listings that the draft prices to a function, part by part.
 * @returns how many listings its stored version prices today and the draft does not
 */
async function eachPart(
  db: Db,
  today: PricingContext,
  then: PricingContext,
  draft: Rule,
  visit: (ids: readonly number[]) => Promise<void>,
): Promise<number> {
  const requested = usedScope([...today.facts.rules, draft].map(({ segment }) => segment));
  let givenUp = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const groups: AlikeIds[] = await readAlikeIds(db, requested, today.facts.now, after, ID_PAGE_SIZE);
    const reached = groups.filter((group) => isPricedBy(then, draft.id, group));
    givenUp += groups
      .filter((group) => isPricedBy(today, draft.id, group) && !isPricedBy(then, draft.id, group))
      .reduce((sum, { ids }) => sum + ids.length, 0);
    await visit(reached.flatMap(({ ids }) => ids).sort((a, b) => a - b));
    const read = groups.reduce((sum, { ids }) => sum + ids.length, 0);
    const last = groups.reduce((most, { ids }) => Math.max(most, ids.at(-1) ?? 0), 0);
    after = read < ID_PAGE_SIZE ? undefined : last;
  }
  return givenUp;
}

type RuleTraits = Omit<AlikeIds, 'ids'>;

function isPricedBy(shop: PricingContext, id: string, listing: RuleTraits): boolean {
  const choice = choiceIn(shop, listing);
  return choice.minimumMargin !== null && choice.rule.id === id;
}

function choiceIn(shop: PricingContext, { ownRuleId, ...listing }: RuleTraits): RuleChoice {
  const ownRule = ownRuleId === null ? null : (shop.ruleById.get(String(ownRuleId)) ?? 'missing');
  return shop.ruleIndex.choose({ ...listing, ownRule });
}

function kindOf({ marketplace, fulfillmentType }: ListingKind): ListingKind {
  return { marketplace, fulfillmentType };
}
