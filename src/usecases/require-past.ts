import type { Instant } from '#domain/units.ts';
import { AppError } from './app-error.ts';

/**
 * A cost may begin on an earlier day, never on a later one.
 * @param field of the request
 * @throws AppError validation_failed
 */
export function requirePast(costSince: Instant | undefined, now: Instant, field = 'costSince'): void {
  if (costSince === undefined || costSince <= now) return;
  const message = 'Choose a day up to today: a cost cannot apply from the future.';
  throw new AppError('validation_failed', message, { fields: { [field]: message } });
}
