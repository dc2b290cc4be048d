import type { Db } from '#db/client.ts';
import {
  type FeeTerms,
  type LearnedShares,
  listFeeTerms,
  readFeePlans,
  readLearnedShares,
  updateFeeTerms,
} from '#db/queries/catalog/fee-terms.ts';
import { listFees, lockFees } from '#db/queries/catalog/fees.ts';
import { rememberLoadedFees, writePublishedFees } from '#db/queries/catalog/shipped-fees.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { groupBy } from '#domain/group-by.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { readShippedFees, type ShippedSchedule, schedulesOfPlans } from '#files/read-shipped-fees.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { feeKey, loadedOf } from './load-shipped-fees.ts';

/** The terms of a marketplace with the plans that it has. */
export interface FeeTermsFound extends FeeTerms {
  /** The first one is the seller's without a choice; empty where all sellers pay the same. */
  readonly plans: readonly string[];
  /** Shares of the revenue that advertising and returns were; null for too few sales. */
  readonly learned: LearnedShares | null;
}

/** The terms of every marketplace. */
export async function readFeeTerms(db: Db, now: Instant): Promise<FeeTermsFound[]> {
  const shipped = await readShippedFees();
  const learned = await readLearnedShares(db, now);
  return (await listFeeTerms(db)).map((terms) => {
    const plans = plansOf(shipped, terms.marketplace);
    const plan = terms.plan ?? plans[0] ?? null;
    return { ...terms, plan, plans, learned: learned.get(terms.marketplace) ?? null };
  });
}

function plansOf(shipped: readonly ShippedSchedule[], marketplace: Marketplace): string[] {
  const named = shipped.flatMap((each) =>
    each.marketplace === marketplace && each.plan !== null ? [each.plan] : [],
  );
  return [...new Set(named)];
}

/**
 * Saves a seller's plan with a marketplace and the sales tax entered for it. Another plan replaces the published fees of
 * the marketplace; those of users stay, and what a user has deleted does not return.
 * @throws AppError validation_failed for a plan that the marketplace does not have
 */
export async function saveFeeTerms(
  { db, now }: { db: Db; now: () => Instant },
  changed: FeeTermsChange,
  editor: Editor,
): Promise<void> {
  const { marketplace, plan } = changed;
  const shipped = await readShippedFees();
  const plans = plansOf(shipped, marketplace);
  if (plan !== null && !plans.includes(plan)) {
    const message =
      plans.length === 0
        ? `Fees on ${MARKETPLACE_NAMES[marketplace]} do not depend on a plan.`
        : `Choose one of: ${plans.join(', ')}.`;
    throw new AppError('validation_failed', message, { fields: { plan: message } });
  }
  await transact(db, async (tx) => {
    await lockFees(tx);
    const before = (await listFeeTerms(tx)).find((each) => each.marketplace === marketplace);
    const terms = { ...changed, ...sharesAfter(changed, before) };
    await updateFeeTerms(tx, terms);
    const isOtherPlan = (before?.plan ?? plans[0]) !== (terms.plan ?? plans[0]);
    if (isOtherPlan) await replacePublished(tx, shipped, marketplace, { name: editor.name, at: now() });
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'fees.terms_saved',
      targetKind: 'marketplace',
      targetId: marketplace,
      before: { ...before },
      after: { ...terms },
    });
  });
}

/** Terms of a marketplace; omitted shares do not change. */
type FeeTermsChange = Pick<FeeTerms, 'marketplace' | 'plan' | 'salesTax'> & {
  readonly [Share in 'adShare' | 'returnShare']?: FeeTerms[Share] | undefined;
};

function sharesAfter(
  { adShare, returnShare }: FeeTermsChange,
  before: FeeTerms | undefined,
): Pick<FeeTerms, 'adShare' | 'returnShare'> {
  return {
    adShare: adShare === undefined ? (before?.adShare ?? null) : adShare,
    returnShare: returnShare === undefined ? (before?.returnShare ?? null) : returnShare,
  };
}

async function replacePublished(
  tx: Db,
  shipped: readonly ShippedSchedule[],
  marketplace: Marketplace,
  by: { readonly name: string; readonly at: Instant },
): Promise<void> {
  const ofMarketplace = shipped.filter((each) => each.marketplace === marketplace);
  const wanted = schedulesOfPlans(ofMarketplace, await readFeePlans(tx));
  const stored = groupBy(
    (await listFees(tx)).filter((each) => each.marketplace === marketplace),
    feeKey,
  );
  const written = wanted.filter((schedule) =>
    stored.get(feeKey(schedule))?.every(({ origin }) => origin === 'shipped'),
  );
  const replaced = written.flatMap((schedule) => stored.get(feeKey(schedule)) ?? []);
  const ids = [...new Set(replaced.map(({ id }) => id))];
  await writePublishedFees(tx, ids, written, by);
  await rememberLoadedFees(tx, wanted.map(loadedOf), by.at);
}
