import type { FeeEstimate, UnusableFees } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import {
  addFeeFacts,
  forgetFutureAnswers,
  listAcceptedCommissions,
} from '#db/queries/marketplaces/money/fee-facts.ts';
import {
  type ReportedFulfillmentFee,
  writeReportedFulfillmentFees,
} from '#db/queries/marketplaces/sync/marketplace-figures.ts';
import {
  type ListingToSync,
  listWithoutFloor,
  requestFees,
  requestFeesLike,
  requestOneOfEachType,
  type SyncQueue,
} from '#db/queries/marketplaces/sync/sync-queue.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import {
  type AnswerKey,
  type FeeFact,
  type FeeQuestion,
  type FeeRefusal,
  isSameAnswer,
  isSameRate,
  refusalOf,
} from '#domain/fees/fee-fact.ts';
import { feesChangedAt } from '#domain/fees/warehouse-fee.ts';
import { groupBy } from '#domain/group-by.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type Cents, cents, hours, type Instant, instant } from '#domain/units.ts';
import { rejectAgain } from '#usecases/catalog/fees/reject-again.ts';
import { watchJumps } from '#usecases/catalog/fees/watch-jumps.ts';
import { hasChangedRate, nextFeeQuestion } from '#usecases/repricing/pricing/listing-fees.ts';
import { loadCosts, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import type { SyncDeps, SyncRun } from './sync-deps.ts';
import { type BatchCounts, syncInBatches } from './sync-in-batches.ts';

export interface FeeCounts {
  /** Listings whose fees were reported. */
  readonly told: number;
  /** Blank fulfillment fees that were filled in, and estimates that changed. */
  readonly filled: number;
  /** Answers that cannot be right: kept with the reason, and not used. */
  readonly refused: number;
  readonly unread: number;
  readonly passedOver: number;
  readonly waiting: number;
}

/** Of each product type one listing is asked so often, so that a changed rate is found before the weekly question to all. */
const TYPE_ASKED_AGAIN = hours(24);

/**
 * Requests the marketplace's fees of listings at their current price, and keeps what it reports. A fulfillment fee that
 * no user entered follows it, since a blank one blocks repricing. Where the answers leave the margin floor open, also since
 * costs were entered, it asks for another price; where a commission changed, it asks for the other listings of that product type and fulfillment too.
 * @param onProgress called with the counts so far
 * @throws ConnectorError
 */
export async function syncFees(
  deps: SyncDeps,
  { connection: { marketplace, connector, account }, signal, passedOver }: SyncRun,
  times: Pick<SyncQueue, 'syncedBefore' | 'blockedBefore'>,
  onProgress: (counts: FeeCounts) => void,
): Promise<FeeCounts> {
  const { estimateFees } = connector;
  if (estimateFees === undefined)
    return { told: 0, filled: 0, refused: 0, unread: 0, passedOver: 0, waiting: 0 };
  const now = deps.now();
  let [filled, refused] = [0, 0];
  const countsOf = ({ ingested, ...others }: BatchCounts) => ({ told: ingested, filled, refused, ...others });
  const requested = new Map<number, ListingToSync>();
  let answered: readonly number[] = [];
  let changed: readonly PricingInput['listing'][] = [];
  /** Product types with their fulfillment whose other listings are asked in this sync already. */
  const requestedTypes = new Set<string>();
  const requestOthers = async (): Promise<void> => {
    const first = changed.filter(({ productType, fulfillmentType }) => {
      const type = `${productType} ${fulfillmentType}`;
      return !requestedTypes.has(type) && requestedTypes.add(type);
    });
    await requestFeesLike(
      deps.db,
      first.map(({ id }) => id),
      now,
    );
  };
  await requestOneOfEachType(deps.db, marketplace, instant(now - TYPE_ASKED_AGAIN));
  await requestWithoutFloor(deps, marketplace);
  const counts = await syncInBatches(
    deps,
    { kind: 'fees', marketplace, ...times, warehouseChangedAt: feesChangedAt(marketplace, now), openAt: now },
    {
      name: MARKETPLACE_NAMES[marketplace],
      passedOver,
      request: (refs) => {
        requested.clear();
        for (const ref of refs) requested.set(ref.listingId, ref);
        return estimateFees.call(connector, account, refs.map(queryOf), signal);
      },
      ingest: async (page) => {
        const reported = page.flatMap((each) => {
          const ref = requested.get(each.listingId);
          return each.kind === 'unread' || ref === undefined ? [] : [answerOf(each, ref)];
        });
        const answers = await withAcceptedRates(deps.db, reported);
        const used = answers.filter(({ refusal }) => refusal === null);
        refused += answers.length - used.length;
        const stored = await storeFees(deps, answers);
        filled += stored.filled;
        changed = stored.changed;
        answered = used.map(({ listingId }) => listingId);
        return used.length;
      },
      // Only after a used answer: one that is not used would be requested again and again.
      settle: async () => {
        await requestFurther(deps, answered);
        await requestOthers();
      },
      onProgress: (soFar) => onProgress(countsOf(soFar)),
    },
  );
  return countsOf(counts);
}

/** Listings whose next question is looked for at once. */
const WITHOUT_FLOOR_AT_ONCE = 1_000;
/** Without new costs it is looked for again after this time: the last answer may be one that could not be used. */
const WITHOUT_FLOOR_AGAIN = hours(24);

/** Opens the next question about listings that have no margin floor since their costs were entered or changed. */
async function requestWithoutFloor(deps: SyncDeps, marketplace: Marketplace): Promise<void> {
  const now = deps.now();
  const before = instant(now - WITHOUT_FLOOR_AGAIN);
  let after = 0;
  for (;;) {
    const ids = await listWithoutFloor(deps.db, marketplace, {
      after,
      before,
      now,
      limit: WITHOUT_FLOOR_AT_ONCE,
    });
    const last = ids.at(-1);
    if (last === undefined) return;
    await requestFurther(deps, ids);
    after = last;
  }
}

/** Opens the next question about each of these listings whose answers are not enough. */
async function requestFurther({ db, now }: SyncDeps, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const context = await loadPricingContext(db, now());
  const inputs = await loadCosts(db, context, ids);
  const questions = inputs.flatMap((input) => {
    const question = nextFeeQuestion(context.feeKnowledge, input);
    return question === null ? [] : [{ listingId: input.listing.id, ...question }];
  });
  await requestFees(db, questions);
}

function queryOf(ref: ListingToSync) {
  return { ref, price: cents(ref.price), shippingCharge: cents(ref.shippingCharge) };
}

/** An answer with its question, and why it is not used. */
interface Answer {
  readonly listingId: number;
  readonly question: FeeQuestion;
  readonly parts: FeeEstimate['parts'];
  readonly refusal: FeeRefusal | null;
}

function answerOf(reported: FeeEstimate | UnusableFees, { fulfillmentType }: ListingToSync): Answer {
  const { listingId, price, shippingCharge } = reported;
  const question = { fulfillmentType, askedPrice: price, askedShipping: shippingCharge };
  if (reported.kind === 'unusable_fees') return { listingId, question, parts: [], refusal: reported.because };
  return { listingId, question, parts: reported.parts, refusal: refusalOf(question, reported.parts) };
}

/** An answer out of range is used where an administrator accepted that rate for the listing. */
async function withAcceptedRates(db: Db, answers: readonly Answer[]): Promise<readonly Answer[]> {
  const ids = answers.filter(({ refusal }) => refusal === 'out_of_range').map(({ listingId }) => listingId);
  if (ids.length === 0) return answers;
  const accepted = groupBy(await listAcceptedCommissions(db, ids), ({ listingId }) => listingId);
  return answers.map((answer) => {
    if (answer.refusal !== 'out_of_range') return answer;
    const { askedPrice, askedShipping } = answer.question;
    const commissions = answer.parts.filter(({ kind }) => kind === 'commission');
    const amount = commissions.reduce((sum, part) => sum + part.amount, 0);
    const revenue = askedPrice + askedShipping;
    const isAccepted = accepted.get(answer.listingId)?.some((one) => isSameRate(one, { amount, revenue }));
    return isAccepted ? { ...answer, refusal: null } : answer;
  });
}

/** @returns how many fulfillment fees changed, and the listings whose commission did */
async function storeFees(
  { db, now }: SyncDeps,
  answers: readonly Answer[],
): Promise<{ readonly filled: number; readonly changed: readonly PricingInput['listing'][] }> {
  if (answers.length === 0) return { filled: 0, changed: [] };
  const at = now();
  return transact(db, async (tx) => {
    await forgetFutureAnswers(
      tx,
      answers.map(({ listingId }) => listingId),
      at,
    );
    await addFeeFacts(
      tx,
      answers.flatMap((answer) => rowsOf(answer, at)),
    );
    const used = answers.filter(({ refusal }) => refusal === null);
    const reported = used.map(({ listingId }) => listingId);
    const added = used.flatMap((answer) => factsOf(answer, at));
    await rejectAgain(tx, added, at);
    if (reported.length === 0) return { filled: 0, changed: [] };
    const context = await loadPricingContext(tx, at);
    const inputs = await loadCosts(tx, context, reported);
    await watchJumps(tx, context, inputs, added);
    const ids = await writeReportedFulfillmentFees(tx, reportedFeesOf(inputs), at);
    if (ids.length > 0) await notify(tx, 'pricewright_listings', ids);
    const byListing = groupBy(added, ({ listingId }) => listingId);
    const changed = inputs.filter((input) => {
      const fresh = byListing.get(input.listing.id) ?? [];
      const isNew = (answer: AnswerKey) => fresh.some((each) => isSameAnswer(each, answer));
      return hasChangedRate(context.feeKnowledge, input, isNew);
    });
    return { filled: ids.length, changed: changed.map(({ listing }) => listing) };
  });
}

/** The answered fulfillment fees of these listings at their current price; the highest where it is not reported there. */
function reportedFeesOf(inputs: readonly PricingInput[]): ReportedFulfillmentFee[] {
  return inputs.flatMap(({ listing, facts: { cost } }) => {
    // What was charged for sales counts for a time alone, and is not kept as an answer.
    if (cost.reportedBy !== 'estimate') return [];
    const { toldSteps = [], fulfillment } = cost;
    const fee = fulfillment ?? (Math.max(...toldSteps.map((step) => step.fee ?? 0)) as Cents);
    return toldSteps.length === 0 ? [] : [{ listingId: listing.id, fee }];
  });
}

/** The facts of a used answer. */
function factsOf(
  { listingId, question, parts }: Answer,
  toldAt: Instant,
): (FeeFact & { listingId: number })[] {
  return parts.map(({ kind, name, amount, promotion }) => ({
    ...question,
    listingId,
    kind,
    name,
    amount,
    promotion,
    toldAt,
    source: 'estimate',
    isAccepted: false,
  }));
}

function rowsOf({ listingId, question, parts, refusal }: Answer, at: Instant): TextRow[] {
  const { fulfillmentType, askedPrice, askedShipping } = question;
  const row = {
    listingId: String(listingId),
    kind: 'commission',
    name: null,
    source: 'estimate',
    fulfillmentType,
    askedPrice: decimalFromCents(askedPrice),
    askedShipping: decimalFromCents(askedShipping),
    amount: null,
    promotion: null,
    toldAt: new Date(at).toISOString(),
    refusedBecause: refusal,
  };
  if (parts.length === 0) return [row];
  return parts.map(({ kind, name, amount, promotion }) => ({
    ...row,
    kind,
    name: kind === 'other' ? name : null,
    amount: decimalFromCents(amount),
    promotion: decimalFromCents(promotion),
  }));
}
