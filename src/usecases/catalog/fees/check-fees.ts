import type { FeeScheduleInput } from '#contract/fees.ts';
import type { StoredFees } from '#db/queries/catalog/fees.ts';
import type { FeeSchedule } from '#domain/fee.ts';
import { categoryKey, checkFeeSchedule } from '#domain/fee-book.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { AppError } from '#usecases/app-error.ts';

/** A schedule as the domain knows it. */
export function scheduleOf({ kind, ...rest }: FeeScheduleInput): FeeSchedule {
  return { ...rest, bandKind: kind };
}

/**
 * @param others the schedules that stay
 * @throws AppError validation_failed when the bands cannot be used, conflict when another schedule holds for the same
 *   marketplace and category from the same moment: which of them held would be chance
 */
export function refuseUnusableFees(schedule: FeeSchedule, others: readonly StoredFees[]): void {
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
