import { createHash } from 'node:crypto';
import type { Db } from '#db/client.ts';
import { countFree, readPastShares, readPricesAt, readSince } from '#db/queries/repricing/breaker-past.ts';
import { readDue, readLive, type ToDecide } from '#db/queries/repricing/due.ts';
import type { Switches } from '#db/queries/repricing/engine.ts';
import {
  type BreakerLimits,
  circuitBreakerReason,
  type HourShares,
  MIN_LISTINGS,
  PAST_RUNS,
} from '#domain/circuit-breaker.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { isDrop, RunTally } from '#domain/run-tally.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import { DecidedPrices, decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import type { PricingContext, ShopFacts } from '#usecases/repricing/pricing/pricing-context.ts';
import type { DecidedCase } from '#usecases/repricing/pricing/record-decisions.ts';

const SHOWN_MOVES = 20;
const HOUR = hours(1);

/** What a run would do: counts, the largest moves, and a name for exactly this plan where exactly these are armed. */
export class RunPlan {
  readonly tally: RunTally;
  /** What it is judged by. */
  readonly limits: BreakerLimits;
  /** Listings that would have dropped within an hour, and had not before. */
  hourDropped = 0;
  /** The largest moves first. */
  largest: readonly DecidedCase[] = [];
  readonly #hash = createHash('sha256');
  /** Changes by the marketplace and the rule they come from, in words. */
  readonly #bySource = new Map<string, number>();

  constructor({ breaker, live }: Pick<ShopFacts, 'breaker' | 'live'>) {
    this.limits = breaker;
    this.tally = new RunTally(breaker.dropDepth);
    // Where nothing moves yet, every choice of marketplaces comes to the same prices, and is another plan all the same.
    this.#hash.update(`${[...live].sort().join(' ')};`);
  }

  /**
   * @param decided by id
   * @param pricesAtHour what they cost an hour ago; listings that cost the same now may be missing
   */
  add(decided: readonly DecidedCase[], pricesAtHour: ReadonlyMap<number, Cents>): void {
    const changes: DecidedCase[] = [];
    for (const one of decided) {
      const { listing } = one.pricingCase;
      this.tally.add(one.pricingCase, one.decision, listing.metrics?.outcome ?? null);
      if (one.decision.kind !== 'change') continue;
      const { price } = one.decision;
      const source = sourceOf(one);
      this.#bySource.set(source, (this.#bySource.get(source) ?? 0) + 1);
      // From where to where: the same price reached from a higher one is another plan, and a drop nobody looked at.
      this.#hash.update(`${listing.id}:${listing.currentPrice}>${price};`);
      const base = pricesAtHour.get(listing.id) ?? listing.currentPrice;
      const { dropDepth } = this.limits;
      // A drop that is on its way was counted when it was decided.
      const before = listing.pendingPrice ?? listing.currentPrice;
      if (isDrop(base, price, dropDepth) && !isDrop(base, before, dropDepth)) this.hourDropped++;
      changes.push(one);
    }
    if (changes.length > 0) this.largest = largestOf([...this.largest, ...changes]);
  }

  /** Where most of its changes come from, as a sentence: where somebody looks first when it goes wild. */
  mainSource(): string {
    const [source = 'nowhere', count = 0] = [...this.#bySource].sort(([, a], [, b]) => b - a)[0] ?? [];
    const { changed } = this.tally;
    const many = changed === 1 ? 'The one change is' : `${inWords(changed, count)} changes are`;
    return `${many} ${source}.`;
  }

  /** Names what is armed and the changes so far, each with the price it starts from and the one it leads to. */
  token(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** "All 10" or "7 of the 10". */
function inWords(whole: number, part: number): string {
  const [all, some] = [whole, part].map((count) => count.toLocaleString('en-US'));
  return part === whole ? `All ${all}` : `${some} of the ${all}`;
}

function sourceOf({ pricingCase: { facts, choice } }: DecidedCase): string {
  const rule = choice.rule === null ? 'without a rule' : `by the rule "${choice.rule.name}"`;
  return `on ${MARKETPLACE_NAMES[facts.marketplace]}, ${rule}`;
}

function largestOf(changes: readonly DecidedCase[]): DecidedCase[] {
  const size = ({ decision, pricingCase }: DecidedCase): number =>
    Math.abs((decision.price ?? 0) - pricingCase.listing.currentPrice);
  return [...changes].sort((a, b) => size(b) - size(a)).slice(0, SHOWN_MOVES);
}

/** Reads listings behind a cursor. */
export type ReadListings = (db: Db, after: number, most: number) => Promise<ToDecide[]>;

/** What runs of a kind go over. */
export function listingsOf(trigger: string): ReadListings {
  return trigger === 'data_change' ? readDue : readLive;
}

/** The start of the rolling hour: a person who resumed has seen what was before. */
export function hourStart({ halted, changedAt }: Switches, now: Instant): Instant {
  const hourAgo = (now - HOUR) as Instant;
  // One that lies ahead, by a clock that was wrong, would leave out everything until then.
  return !halted && changedAt > hourAgo && changedAt <= now ? changedAt : hourAgo;
}

/** What a plan goes over, and how much at a time. */
export interface PlanScope {
  readonly db: Db;
  readonly batchSize: number;
  readonly shop: PricingContext;
  readonly read: ReadListings;
  /** Behind this listing. */
  readonly after: number;
  /** The start of the rolling hour. */
  readonly since: Instant;
  /** Hears of each page, with the cursor in front of it. */
  readonly keep?: (after: number, page: readonly ToDecide[], decided: readonly DecidedCase[]) => void;
}

/**
 * Decides everything behind a cursor, page by page, and records nothing.
 * @returns the whole plan; what it yields before is the same plan as far as it is made
 */
export async function* planPages({
  db,
  batchSize,
  shop,
  read,
  after,
  since,
  keep,
}: PlanScope): AsyncGenerator<RunPlan, RunPlan> {
  const plan = new RunPlan(shop.facts);
  const prices = new DecidedPrices();
  let cursor = after;
  for (;;) {
    // One more than a page: it tells the last one, which may be full.
    const ahead = await read(db, cursor, batchSize + 1);
    const page = ahead.slice(0, batchSize);
    const ids = page.map(({ id }) => id);
    const decided = await decideListings(db, shop, ids, prices);
    await addToPlan(db, plan, decided, since);
    keep?.(cursor, page, decided);
    const last = page.at(-1);
    if (last === undefined || ahead.length <= batchSize) return plan;
    cursor = last.id;
    yield plan;
  }
}

/**
 * Makes a plan in one go.
 * @param goOn asked before each page
 * @returns null when `goOn` said no
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

/** Adds decisions with what their listings cost an hour ago. */
export async function addToPlan(
  db: Db,
  plan: RunPlan,
  decided: readonly DecidedCase[],
  since: Instant,
): Promise<void> {
  const changed = decided.flatMap(({ decision, pricingCase }) =>
    decision.kind === 'change' ? [pricingCase.listing.id] : [],
  );
  plan.add(decided, await readPricesAt(db, changed, since));
}

/**
 * What the circuit breaker says to a plan.
 * @param runId the run that would follow it; null when there is none yet
 * @returns why it must not be; null lets it pass
 */
export async function checkCircuitBreaker(
  db: Db,
  plan: RunPlan,
  since: Instant,
  runId: number | null,
  now: Instant,
): Promise<string | null> {
  const { tally, hourDropped, limits } = plan;
  // What sends nothing cannot do harm.
  if (tally.changed === 0) return null;
  const before = await readSince(db, since, tally.commonPrice, limits.dropDepth);
  const hour = {
    dropped: before.dropped + hourDropped,
    atMarginFloor: before.atMarginFloor + tally.atMarginFloor,
    newlyBlocked: before.newlyBlocked + tally.newlyBlocked,
    atSamePrice: before.atSamePrice + tally.atSamePrice,
  };
  const isMuch = Object.values(hour).some((count) => count >= MIN_LISTINGS);
  if (!isMuch) return null;
  const past = await readPastShares(db, runId, leastComparable(tally), PAST_RUNS);
  const mayChange = Math.max(tally.mayChange, await countFree(db, now));
  const verdict = circuitBreakerReason(tally, { ...hour, mayChange } satisfies HourShares, past, limits);
  return verdict === null ? null : `${verdict} ${plan.mainSource()}`;
}

/** Fewest listings that a run must have been free to change to be a measure for this one. */
export function leastComparable({ mayChange }: Pick<RunTally, 'mayChange'>): number {
  return Math.max(MIN_LISTINGS, Math.ceil(mayChange / 10));
}
