import type { EditSettings } from '#contract/settings.ts';
import { credentialsOf } from '#domain/connections/credentials.ts';
import { AppError } from '#usecases/app-error.ts';
import { isKept, isMoved, type StoredBefore, sentCredentials } from './sent-credentials.ts';
import { storedText } from './stored-credentials.ts';

/**
 * Requires a stored secret to be entered again when its destination changes, so that it cannot be sent elsewhere unknown.
 * @throws AppError validation_failed that names the field of each secret to enter again
 */
export function rejectMovedDestinations(before: StoredBefore, edit: EditSettings): void {
  const sent = sentCredentials(edit);
  const fields: Record<string, string> = {};
  for (const moved of sent.filter((each) => isMoved(before, each))) {
    // Without a destination the secret is not sent at all.
    if (moved.value === '' && moved.standard === '') continue;
    const { marketplace, leads } = moved;
    for (const member of credentialsOf(marketplace).filter(({ name }) => leads.includes(name))) {
      const value = sent.find((each) => each.marketplace === marketplace && each.name === member.name)?.value;
      const staysStored = value === undefined || isKept(value);
      if (!staysStored || storedText(before.stored, marketplace, member) === null) continue;
      fields[`marketplaces.${marketplace}.${member.name}`] =
        'Enter the credential again: it was stored for another account';
    }
  }
  if (Object.keys(fields).length === 0) return;
  throw new AppError(
    'validation_failed',
    'A credential belongs to the account it was stored for. Enter it again.',
    {
      fields,
    },
  );
}
