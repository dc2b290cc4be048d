import type { DecideFees, FeesDecided } from '#contract/fee-facts.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  acceptJumps,
  closeFeeBreaker,
  countJumped,
  type DecidedBreaker,
  listCharged,
  rejectJumps,
  requestFeesAgain,
} from '#db/queries/marketplaces/money/fee-breakers.ts';
import {
  type AnswerToDecide,
  decideAnswers,
  findAnswers,
  type ListingFeePart,
  lockAnswers,
  rejectFees,
} from '#db/queries/marketplaces/money/fee-facts.ts';
import { listListingsOfPair } from '#db/queries/repricing/fee-drift.ts';
import { transact } from '#db/transact.ts';
import { FEE_FACT_KINDS, type FeeFactKind, isFulfillmentCharge } from '#domain/fees/fee-fact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import {
  chargesToRejectOf,
  type HeldAnswer,
  heldAnswers,
  isOfHeld,
} from '#usecases/repricing/pricing/listing-fees.ts';
import { loadCosts } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { decideOwnRates } from './decide-own-rates.ts';

type Of<Kind extends string> = Extract<DecideFees, Record<Kind, unknown>>;

/** More listings are loaded in several steps. */
const STEP = 1_000;

/**
 * Accepts or rejects what a marketplace reported: a lower fee that waits until it is reported again, without the other fees of its
 * answer, an answer out of range, or a charge of fulfillment, also one that is used; all that waits of the listings with a pair of rates, or their own commissions; or a reading that changed many
 * listings at once. Accepts what was rejected. All of it or nothing.
 * @throws AppError conflict for what no longer waits, not_found
 */
export async function decideFees(
  db: Db,
  requested: DecideFees,
  editor: Editor,
  now: Instant,
): Promise<FeesDecided> {
  return transact(db, async (tx) => {
    if ('reading' in requested) return decideReading(tx, requested, editor, now);
    if ('ids' in requested) return decideAbout(tx, await withOthersWaiting(tx, requested, now), editor, now);
    if ('ownRates' in requested) return decideOwnRates(tx, requested, editor, now);
    const ids = await waitingOf(tx, requested, now);
    if (ids.length === 0) {
      throw new AppError('conflict', 'No lower fee waits for these listings now. Reload the page.');
    }
    const { decision, waiting: seen } = requested;
    const decided = await decideAbout(tx, { ids: ids.map(String), decision }, editor, now);
    if (seen !== undefined && decided.listings > seen) {
      const message = `${decided.listings} listings are affected now, more than shown. Reload the page and review them.`;
      throw new AppError('conflict', message);
    }
    return decided;
  });
}

/**
 * A lower fee is rejected with all answers that report it: one that is left would count when it is reported again. Of charges of
 * fulfillment these are the ones of its amount that wait.
 */
async function withOthersWaiting(tx: Db, { ids, decision }: Of<'ids'>, now: Instant): Promise<Of<'ids'>> {
  if (decision === 'adopt') return { ids, decision };
  const answers = (await lockAnswers(tx, ids.map(Number))).filter(
    ({ refusedBecause }) => refusedBecause === null,
  );
  const held = await heldOf(tx, [...new Set(answers.map(({ listingId }) => listingId))], now);
  const reported = answers.flatMap((answer) => {
    const waiting = held.get(answer.listingId) ?? [];
    const own = waiting.filter((each) => isOfHeld(each, answer));
    return waiting
      .filter((each) => own.some(({ part, charge }) => part === each.part && charge === each.charge))
      .map(({ answer: other, charge }) => ({ ...other, charge, listingId: answer.listingId }));
  });
  return { ids: [...ids, ...(await findAnswers(tx, reported)).map(String)], decision };
}

/** The facts of all lower fees that wait of the listings with a pair of rates. */
async function waitingOf(
  tx: Db,
  { pair }: Pick<Of<'pair'>, 'pair'>,
  now: Instant,
): Promise<readonly number[]> {
  const listings = await listListingsOfPair(tx, pair);
  const held = await heldOf(tx, listings, now);
  const reported = [...held].flatMap(([listingId, answers]) =>
    answers.flatMap(({ part, answer, charge }) =>
      part === 'commission' ? [{ ...answer, charge, listingId }] : [],
    ),
  );
  return findAnswers(tx, reported);
}

async function heldOf(
  tx: Db,
  listings: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, readonly HeldAnswer[]>> {
  const context = await loadPricingContext(tx, now);
  const held = new Map<number, readonly HeldAnswer[]>();
  for (let start = 0; start < listings.length; start += STEP) {
    for (const input of await loadCosts(tx, context, listings.slice(start, start + STEP))) {
      held.set(input.listing.id, heldAnswers(context.feeKnowledge, input));
    }
  }
  return held;
}

async function decideReading(
  tx: Db,
  { reading, listings: seen, decision }: Of<'reading'>,
  editor: Editor,
  now: Instant,
): Promise<FeesDecided> {
  const breaker = await closeFeeBreaker(tx, Number(reading), { decision, by: editor.name, now });
  if (breaker === null) {
    throw new AppError('conflict', 'These fees were accepted or rejected already. Reload the page.');
  }
  const jumped = await countJumped(tx, breaker);
  if (jumped !== seen) {
    const message = `${jumped === 1 ? '1 listing is' : `${jumped} listings are`} affected now, a different number than shown. Reload the page and review them.`;
    throw new AppError('conflict', message);
  }
  const ids =
    decision === 'adopt' ? await acceptJumps(tx, breaker, now) : await rejectReading(tx, breaker, now);
  await insertAudit(tx, {
    ...madeBy(editor, now),
    action: decision === 'adopt' ? 'fees.reading_accepted' : 'fees.reading_rejected',
    targetKind: 'marketplace',
    targetId: breaker.marketplace,
    after: { since: new Date(breaker.since).toISOString(), listings: ids.length, changed: jumped },
  });
  await notify(tx, 'pricewright_listings', ids);
  return { listings: ids.length };
}

/**
 * Rejects what jumped in a reading, and the charges of fulfillment in it that would lower a fee. Its listings are requested again
 * first. @returns their IDs
 */
async function rejectReading(tx: Db, breaker: DecidedBreaker, now: Instant): Promise<number[]> {
  const context = await loadPricingContext(tx, now);
  const charged = await listCharged(tx, breaker);
  const parts: ListingFeePart[] = [];
  for (let start = 0; start < charged.length; start += STEP) {
    const step = new Map(charged.slice(start, start + STEP).map(({ id, hasJumped }) => [id, hasJumped]));
    for (const input of await loadCosts(tx, context, [...step.keys()])) {
      const listingId = input.listing.id;
      const reading = { since: breaker.since, hasJumped: step.get(listingId) === true };
      for (const { fee, ...answer } of chargesToRejectOf(context.feeKnowledge, input, reading)) {
        parts.push({ ...answer, listingId, isFulfillment: true, amount: fee });
      }
    }
  }
  const jumped = await rejectJumps(tx, breaker);
  await rejectFees(tx, parts);
  const ids = [...new Set([...jumped, ...parts.map(({ listingId }) => listingId)])];
  await requestFeesAgain(tx, ids);
  return ids;
}

async function decideAbout(
  tx: Db,
  { ids, decision }: Of<'ids'>,
  editor: Editor,
  now: Instant,
): Promise<FeesDecided> {
  const factIds = [...new Set(ids.map(Number))];
  const answers = await lockAnswers(tx, factIds);
  if (answers.length < factIds.length) {
    throw new AppError('not_found', 'One of these fees is no longer stored. Reload the page.');
  }
  const listings = [...new Set(answers.map(({ listingId }) => listingId))];
  const held = await heldOf(tx, listings, now);
  const kindsOf = (answer: AnswerToDecide): readonly FeeFactKind[] => {
    const { listingId, refusedBecause, isAccepted } = answer;
    const isCharge = isFulfillmentCharge(answer);
    const kinds: readonly FeeFactKind[] = isCharge ? ['fulfillment'] : FEE_FACT_KINDS;
    if (refusedBecause === 'out_of_range') return kinds;
    if (refusedBecause === 'rejected') return decision === 'adopt' ? kinds : [];
    if (refusedBecause !== null) return [];
    // Also one that is used: nothing else takes back a wrong charge.
    if (isCharge) return decision === 'adopt' && isAccepted ? [] : kinds;
    const waiting = held.get(listingId) ?? [];
    return kinds.filter((kind) => waiting.some((each) => isOfHeld(each, { ...answer, kind })));
  };
  const decided = answers.map((answer) => ({ id: answer.id, kinds: kindsOf(answer) }));
  if (decided.some(({ kinds }) => kinds.length === 0)) {
    throw new AppError(
      'conflict',
      'One of these fees no longer needs a decision: it is already used, or a different one was reported. Reload the page.',
    );
  }
  await decideAnswers(tx, decided, decision === 'adopt', now);
  await insertAudit(tx, {
    ...madeBy(editor, now),
    action: decision === 'adopt' ? 'fees.told_accepted' : 'fees.told_rejected',
    after: { listings, facts: factIds },
  });
  await notify(tx, 'pricewright_listings', listings);
  return { listings: listings.length };
}
