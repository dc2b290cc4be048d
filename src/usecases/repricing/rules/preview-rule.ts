import type { RulePreview } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { countPlaces, type RuleReach, readReachedIds } from '#db/queries/repricing/rule-listings.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Rule, RuleChoice } from '#domain/rule.ts';
import { matches } from '#domain/rule-choice.ts';
import { LISTING_KINDS, type ListingKind, winningRules } from '#domain/rule-precedence.ts';
import type { Instant } from '#domain/units.ts';
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import {
  loadPricingContext,
  type PricingContext,
  pricingContextFor,
} from '#usecases/repricing/pricing/pricing-context.ts';
import { ignoringLabels } from './ignored-labels.ts';
import { createTally, type Tally } from './preview-tally.ts';
import { ruleNotFound } from './rule-refusals.ts';
import { requireUsableLines } from './usable-lines.ts';

/** Listings per batch: large enough for set-based statements, small enough for the memory. */
const BATCH_SIZE = 2_000;
/** Concurrent batches: PostgreSQL reads for one while this process decides the other. */
const CONCURRENCY = 2;
/** IDs per search, which scans the catalog; only the IDs are held in memory. */
const ID_PAGE_SIZE = 20 * BATCH_SIZE;
/** ID of a draft that is not stored; stored rules have numbers. */
const DRAFT_ID = 'draft';

/**
 * Previews the next run with this rule in place of a stored one, as if every marketplace were live. A paused draft counts
 * as active. Reads only, in batches, so that its memory does not grow with the catalog.
 * @param db not a transaction: it reads on more than one connection
 * @param id the stored rule; null adds the draft as the newest
 * @throws AppError not_found; validation_failed when a line is refused
 */
export async function previewRule(
  db: Db,
  id: number | null,
  write: RuleWrite,
  now: Instant,
): Promise<RulePreview> {
  await requireUsableLines(db, write);
  const today = await loadPricingContext(db, now);
  const stored = id === null ? null : (today.ruleById.get(String(id)) ?? null);
  if (id !== null && stored === null) throw ruleNotFound();
  const [labeled] = await ignoringLabels(db, [write]);
  const draft: Rule = {
    ...(labeled ?? write),
    id: stored?.id ?? DRAFT_ID,
    order: stored?.order ?? Number.MAX_SAFE_INTEGER,
    isActive: true,
  };
  const then = shopWith(today, draft);
  const reach: RuleReach = {
    places: winningRules(then.facts.rules).flatMap(({ place, rule }) => (rule === draft ? [place] : [])),
    ruleId: id,
    ownPlaces: LISTING_KINDS.filter((place) => matches(draft, place)),
  };
  const tally = await tallyOver(db, today, then, reach);
  const released = stored === null ? 0 : await countReleased(db, today, stored, reach);
  return { ...tally.result(), givenUp: released };
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

async function tallyOver(
  db: Db,
  today: PricingContext,
  then: PricingContext,
  reach: RuleReach,
): Promise<Tally> {
  const tally = createTally();
  for (let after: number | undefined = 0; after !== undefined; ) {
    const ids: number[] = await readReachedIds(db, reach, after, ID_PAGE_SIZE);
    for (let from = 0; from < ids.length; from += CONCURRENCY * BATCH_SIZE) {
      const lanes = Array.from({ length: CONCURRENCY }, (_, lane) => from + lane * BATCH_SIZE);
      const batches = lanes.map((start) => decideListings(db, then, ids.slice(start, start + BATCH_SIZE)));
      for (const one of (await Promise.all(batches)).flat()) {
        tally.add(one, choiceToday(today, one.pricingCase.listing));
      }
    }
    after = ids.length < ID_PAGE_SIZE ? undefined : ids.at(-1);
  }
  return tally;
}

function choiceToday(
  shop: PricingContext,
  { marketplace, fulfillmentType, ruleId }: ListingKind & { readonly ruleId: number | null },
): RuleChoice {
  const ownRule = ruleId === null ? null : (shop.ruleById.get(String(ruleId)) ?? 'missing');
  return shop.ruleBook.choose({ marketplace, fulfillmentType, ownRule });
}

/** Listings that the stored rule prices today and the draft would not. */
async function countReleased(db: Db, today: PricingContext, stored: Rule, reach: RuleReach): Promise<number> {
  const isAmong = (places: readonly ListingKind[], { marketplace, fulfillmentType }: ListingKind): boolean =>
    places.some((place) => place.marketplace === marketplace && place.fulfillmentType === fulfillmentType);
  let released = 0;
  for (const { ownRuleId, listings, ...place } of await countPlaces(db)) {
    const choice = choiceToday(today, { ...place, ruleId: ownRuleId });
    if (choice.minimumMargin === null || choice.rule.id !== stored.id) continue;
    if (!isAmong(ownRuleId === null ? reach.places : reach.ownPlaces, place)) released += listings;
  }
  return released;
}
