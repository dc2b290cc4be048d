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
import { createTally, type Tally } from './preview-tally.ts';
import { ruleNotFound } from './rule-refusals.ts';

/** Listings decided at once: large enough for sets to pay, small enough to hold. */
const BATCH = 2_000;
/** Batches under way at once: PostgreSQL reads for one while this process decides the other. */
const LANES = 2;
/** Ids found at once: each search goes over the catalogue, and an id is all that is held of a listing meanwhile. */
const PART = 20 * BATCH;
/** The name of a rule that is not stored; numbers name stored ones. */
const DRAFT_ID = 'draft';

/**
 * What the next run would do with this rule in the place of a stored one, were every marketplace armed. Paused drafts
 * are looked at as if they were active. Reads only, in batches: its memory does not grow with the catalogue.
 * @param db not a transaction: it reads on more than one connection
 * @param id the stored rule; null adds the draft as the youngest
 * @throws AppError not_found
 */
export async function previewRule(
  db: Db,
  id: number | null,
  write: RuleWrite,
  now: Instant,
): Promise<RulePreview> {
  const today = await loadPricingContext(db, now);
  const stored = id === null ? null : (today.ruleById.get(String(id)) ?? null);
  if (id !== null && stored === null) throw ruleNotFound();
  const draft: Rule = {
    ...write,
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
  const givenUp = stored === null ? 0 : await countGivenUp(db, today, stored, reach);
  return { ...tally.result(), givenUp };
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
    const ids: number[] = await readReachedIds(db, reach, after, PART);
    for (let from = 0; from < ids.length; from += LANES * BATCH) {
      const lanes = Array.from({ length: LANES }, (_, lane) => from + lane * BATCH);
      const batches = lanes.map((start) => decideListings(db, then, ids.slice(start, start + BATCH)));
      for (const one of (await Promise.all(batches)).flat()) {
        tally.add(one, choiceToday(today, one.pricingCase.listing));
      }
    }
    after = ids.length < PART ? undefined : ids.at(-1);
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

/** Listings that the stored rule decides today and the draft does not reach. */
async function countGivenUp(db: Db, today: PricingContext, stored: Rule, reach: RuleReach): Promise<number> {
  const isAmong = (places: readonly ListingKind[], { marketplace, fulfillmentType }: ListingKind): boolean =>
    places.some((place) => place.marketplace === marketplace && place.fulfillmentType === fulfillmentType);
  let givenUp = 0;
  for (const { ownRuleId, listings, ...place } of await countPlaces(db)) {
    const choice = choiceToday(today, { ...place, ruleId: ownRuleId });
    if (choice.minimumMargin === null || choice.rule.id !== stored.id) continue;
    if (!isAmong(ownRuleId === null ? reach.places : reach.ownPlaces, place)) givenUp += listings;
  }
  return givenUp;
}
