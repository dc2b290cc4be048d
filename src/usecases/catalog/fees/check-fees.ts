import type { FeeScheduleInput } from '#contract/fees.ts';
import type { StoredFees } from '#db/queries/catalog/fees.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { categoryKey, checkFeeSchedule } from '#domain/fees/fee-tables.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { AppError } from '#usecases/app-error.ts';

/** The domain's form of a schedule. */
export function scheduleOf({ kind, ...rest }: FeeScheduleInput): FeeSchedule {
  return { ...rest, bandKind: kind };
}

/**
 * @param others the other schedules
 * @throws AppError validation_failed for unusable bands, conflict when another schedule has the same marketplace,
 *   category and start: which one applies would be random
 */
export function rejectUnusableFees(schedule: FeeSchedule, others: readonly StoredFees[]): void {
  const problem = checkFeeSchedule(schedule);
  if (problem !== null) throw new AppError('validation_failed', problem, { fields: { bands: problem } });
  const twin = others.find(
    (other) =>
      other.marketplace === schedule.marketplace &&
      categoryKey(other.category) === categoryKey(schedule.category) &&
      other.effectiveFrom === schedule.effectiveFrom,
  );
  if (twin === undefined) return;
  const name = `${MARKETPLACE_NAMES[twin.marketplace]} ${twin.category ?? 'default'}`;
  const message = `A fee schedule for ${name} already starts on that day. Edit it, or choose another day.`;
  throw new AppError('conflict', message, { fields: { effectiveFrom: message } });
}
