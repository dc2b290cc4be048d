import type { Db } from '#db/client.ts';
import { readPricesAt } from '#db/queries/repricing/breaker-past.ts';
import type { ReadListings, ToDecide } from '#db/queries/repricing/due-listings.ts';
import type { StoredPlan } from '#db/schema/runs.ts';
import { fallsBy, RunTally, risesBy } from '#domain/decision/run-tally.ts';
import type { BreakerLimits } from '#domain/limits/circuit-breaker.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { DecidedPrices, decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import { lastDecisionOf } from '#usecases/repricing/pricing/metrics-of.ts';
import type { PricingContext, StoreFacts } from '#usecases/repricing/pricing/pricing-context.ts';
import type { DecidedCase } from '#usecases/repricing/pricing/record-decisions.ts';
import { withWholeGroups } from './page-with-price-groups.ts';
import { PlanToken } from './plan-token.ts';

const MAX_SHOWN_MOVES = 20;

/** What a run would do: counts, the largest moves, and a token of exactly these changes on these live marketplaces. */
export class RunPlan {
  readonly tally: RunTally;
  /** Limits that the circuit breaker checks it by. */
  readonly limits: BreakerLimits;
  /** Listings whose price would newly have dropped within the rolling hour. */
  hourDropped = 0;
  /** Listings whose price would newly have risen within it. */
  hourRose = 0;
  /** The largest moves first. */
  largest: readonly DecidedCase[] = [];
  readonly #token: PlanToken;
  /** Number of changes by marketplace and rule, as text. */
  readonly #bySource = new Map<string, number>();

  constructor({ breaker, live }: Pick<StoreFacts, 'breaker' | 'live'>) {
    this.limits = breaker;
    this.tally = new RunTally(breaker.dropDepth);
    this.#token = new PlanToken(live);
  }

  /**
   * @param decided ordered by listing ID
   * @param pricesAtHour prices an hour ago; listings with an unchanged price may be missing
   */
  add(decided: readonly DecidedCase[], pricesAtHour: ReadonlyMap<number, Cents>): void {
    const changes: DecidedCase[] = [];
    for (const one of decided) {
      const { listing } = one.pricingInput;
      this.tally.add(one.pricingInput, one.decision, lastDecisionOf(one.pricingInput));
      if (one.decision.kind !== 'change') continue;
      const { price } = one.decision;
      const source = sourceOf(one);
      this.#bySource.set(source, (this.#bySource.get(source) ?? 0) + 1);
      this.#token.add(listing.id, listing.currentPrice, price);
      const base = pricesAtHour.get(listing.id) ?? listing.currentPrice;
      const { dropDepth } = this.limits;
      // A drop in progress was counted when it was decided.
      const before = listing.pendingPrice ?? listing.currentPrice;
      if (fallsBy(base, price, dropDepth) && !fallsBy(base, before, dropDepth)) this.hourDropped++;
      if (risesBy(base, price, dropDepth) && !risesBy(base, before, dropDepth)) this.hourRose++;
      changes.push(one);
    }
    if (changes.length > 0) this.largest = largestOf([...this.largest, ...changes]);
  }

  /** A sentence that names where most changes come from, as a hint for finding the cause of an unusual run. */
  mainSource(): string {
    const [source = 'nowhere', count = 0] = [...this.#bySource].sort(([, a], [, b]) => b - a)[0] ?? [];
    const { changed } = this.tally;
    const many = changed === 1 ? 'The one change is' : `${shareText(changed, count)} changes are`;
    return `${many} ${source}.`;
  }

  /** Hash of the live marketplaces and the changes so far, each with its old and new price. */
  token(): string {
    return this.#token.text();
  }
}

/** "All 10" or "7 of the 10". */
function shareText(whole: number, part: number): string {
  const [all, some] = [whole, part].map((count) => count.toLocaleString('en-US'));
  return part === whole ? `All ${all}` : `${some} of the ${all}`;
}

function sourceOf({ pricingInput: { facts, choice } }: DecidedCase): string {
  const rule = choice.rule === null ? 'without a rule' : `by the rule "${choice.rule.name}"`;
  return `on ${MARKETPLACE_NAMES[facts.marketplace]}, ${rule}`;
}

function largestOf(changes: readonly DecidedCase[]): DecidedCase[] {
  const size = ({ decision, pricingInput }: DecidedCase): number =>
    Math.abs((decision.price ?? 0) - pricingInput.listing.currentPrice);
  return [...changes].sort((a, b) => size(b) - size(a)).slice(0, MAX_SHOWN_MOVES);
}

/** What a plan covers, and its page size. */
export interface PlanScope {
  readonly db: Db;
  readonly batchSize: number;
  readonly context: PricingContext;
  readonly read: ReadListings;
  /** Cursor: starts after this listing. */
  readonly after: number;
  /** The start of the rolling hour. */
  readonly since: Instant;
  /** Called for each page, with the cursor before it. */
  readonly onPage?: (after: number, page: readonly ToDecide[], decided: readonly DecidedCase[]) => void;
}

/**
 * Decides all listings after a cursor page by page and records nothing.
 * @returns the complete plan; until then it yields the same plan as far as it is made
 */
export async function* planPages({
  db,
  batchSize,
  context,
  read,
  after,
  since,
  onPage,
}: PlanScope): AsyncGenerator<RunPlan, RunPlan> {
  const plan = new RunPlan(context.facts);
  const prices = new DecidedPrices();
  let cursor = after;
  for (;;) {
    // One more than a page, to recognize the last page even when it is full.
    const ahead = await read(db, cursor, batchSize + 1);
    const listings = ahead.slice(0, batchSize);
    const page = await withWholeGroups(db, listings, cursor);
    const ids = page.map(({ id }) => id);
    const decided = await decideListings(db, context, ids, prices);
    await addToPlan(db, plan, decided, since);
    onPage?.(cursor, page, decided);
    const last = listings.at(-1);
    if (last === undefined || ahead.length <= batchSize) return plan;
    cursor = last.id;
    yield plan;
  }
}

/**
 * Makes a complete plan.
 * @param goOn called before each page; false stops
 * @returns null when it was stopped
 */
export async function makePlan(
  scope: PlanScope,
  goOn: () => Promise<boolean> | boolean,
): Promise<RunPlan | null> {
  const pages = planPages(scope);
  while (await goOn()) {
    const { done, value } = await pages.next();
    if (done === true) return value;
  }
  return null;
}

/** Adds decisions with the prices of their listings an hour ago. */
export async function addToPlan(
  db: Db,
  plan: RunPlan,
  decided: readonly DecidedCase[],
  since: Instant,
): Promise<void> {
  const changed = decided.flatMap(({ decision, pricingInput }) =>
    decision.kind === 'change' ? [pricingInput.listing.id] : [],
  );
  plan.add(decided, await readPricesAt(db, changed, since));
}

/** The part of a plan stored with its run, for comparison with what the run does. */
export function storedPlanOf(tally: RunTally, isReviewed: boolean): StoredPlan {
  const { changed, mayChange, competitive, dropped, rose, movedUnread } = tally;
  const { atMarginFloor, newlyBlocked, atSamePrice } = tally;
  return {
    changed,
    mayChange,
    competitive,
    dropped,
    rose,
    movedUnread,
    atMarginFloor,
    newlyBlocked,
    atSamePrice,
    isReviewed,
  };
}
