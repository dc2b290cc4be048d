import type { EditRepricingLimits } from '#contract/repricing-limits.ts';
import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockSettings } from '#db/queries/marketplaces/connections/settings.ts';
import {
  lockRepricingLimits,
  type RepricingLimitsRow,
  updateRepricingLimits,
} from '#db/queries/repricing/repricing-limits.ts';
import { transact } from '#db/transact.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { requireStepUp, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { lastChangeText } from '#usecases/last-change.ts';
import { isLooser } from './looser-limits.ts';

const MINUTES = 60;

/**
 * Saves the repricing limits. Database triggers mark the affected listings as due.
 * @throws AppError conflict when the limits were changed after they were loaded; step_up_required when a limit becomes
 *   looser without a recent step-up
 */
export async function saveLimits(
  { db, now }: { db: Db; now: () => Instant },
  edit: EditRepricingLimits,
  editor: Editor,
  assurance: SessionAssurance,
): Promise<RepricingLimitsRow> {
  const { version, checkIntervalMinutes, maxOfferAgeHours, priceWarPauseHours, holdHours, ...same } = edit;
  return transact(db, async (tx) => {
    const before = await lockRepricingLimits(tx);
    if (before.version !== version) {
      const change = await lastChangeText(
        tx,
        { kind: 'settings', id: 'default', updatedAt: (await lockSettings(tx)).updatedAt },
        now(),
      );
      throw new AppError(
        'conflict',
        `Settings were changed after you opened this page${change}. Load the new values, then save again.`,
      );
    }
    const limits = {
      ...same,
      checkInterval: checkIntervalMinutes,
      maxOfferAgeMinutes: maxOfferAgeHours * MINUTES,
      priceWarPauseMinutes: priceWarPauseHours * MINUTES,
      holdMinutes: holdHours * MINUTES,
    };
    if (isLooser(before, limits)) requireStepUp(assurance);
    const after = await updateRepricingLimits(tx, limits, now());
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'guards.saved',
      targetKind: 'settings',
      targetId: 'default',
      before: readable(before),
      after: readable(after),
    });
    return after;
  });
}

/** Decimals instead of cents and basis points, for readers of the audit log. */
function readable(limits: RepricingLimitsRow): Record<string, unknown> {
  const {
    maxStep,
    maxDailyChange,
    minStep,
    breakerDropShare,
    breakerDropDepth,
    breakerSameOutcomeShare,
    ...rest
  } = limits;
  return {
    ...rest,
    breakerDropShare: decimalFromBps(breakerDropShare),
    breakerDropDepth: decimalFromBps(breakerDropDepth),
    breakerSameOutcomeShare: decimalFromBps(breakerSameOutcomeShare),
    maxStep: decimalFromBps(maxStep),
    maxDailyChange: decimalFromBps(maxDailyChange),
    minStep: decimalFromCents(minStep),
  };
}
