import type { EditSettings } from '#contract/settings.ts';
import type { SettingsRecord } from '#db/queries/shop.ts';
import { AppError } from '#usecases/app-error.ts';
import { isKept, isMoved, sentCredentials } from './sent-credentials.ts';

/**
 * A key that is stored must not start to go somewhere else: whoever changes where has to know it.
 * @throws AppError validation_failed that names the field of each key that has to be entered again
 */
export function refuseMovedDestinations(before: SettingsRecord, edit: EditSettings): void {
  const sent = sentCredentials(edit);
  const moved = sent.filter((each) => each.isDestination && each.value !== '' && isMoved(before, each));
  const fields: Record<string, string> = {};
  for (const { marketplace } of moved) {
    const secret = sent.find((each) => each.marketplace === marketplace && each.isSecret);
    if (secret === undefined || !isKept(secret.value) || before[secret.column] === null) continue;
    fields[`marketplaces.${marketplace}.${secret.name}`] =
      'Enter the key again: it was stored for another account';
  }
  if (Object.keys(fields).length === 0) return;
  throw new AppError('validation_failed', 'A key goes with the account it was stored for. Enter it again.', {
    fields,
  });
}
