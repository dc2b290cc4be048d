import { type EditSettings, SECRET_MASK } from '#contract/settings.ts';
import type { SettingsRecord } from '#db/queries/shop.ts';
import { credentialsOf } from '#domain/credentials.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type CredentialColumn, credentialColumn, type SecretColumn } from './settings-columns.ts';

/** One credential as a save sends it. */
export interface SentCredential {
  readonly marketplace: Marketplace;
  readonly name: string;
  readonly column: CredentialColumn;
  readonly isSecret: boolean;
  readonly isDestination: boolean;
  readonly value: string;
}

/** The credentials of a save, one by one. */
export function sentCredentials({ marketplaces }: EditSettings): SentCredential[] {
  return MARKETPLACES.flatMap((marketplace) => {
    const sent: Readonly<Record<string, string | boolean>> = marketplaces[marketplace];
    return credentialsOf(marketplace).map((member) => ({
      ...member,
      marketplace,
      column: credentialColumn(marketplace, member.name),
      value: String(sent[member.name] ?? ''),
    }));
  });
}

/** Whether a save leaves a secret as it is. */
export const isKept = (secret: string): boolean => secret === SECRET_MASK;
const isNew = (secret: string): boolean => secret !== '' && !isKept(secret);

/** Every secret of a save. */
function sentSecrets(edit: EditSettings): { readonly column: SecretColumn; readonly value: string }[] {
  const veeqo = { column: 'veeqoApiKey', value: edit.veeqo.apiKey } as const;
  return [veeqo, ...sentCredentials(edit).filter(({ isSecret }) => isSecret)];
}

/** Columns of the secrets that get a new value. */
export function replacedSecrets(edit: EditSettings): SecretColumn[] {
  return sentSecrets(edit).flatMap(({ column, value }) => (isNew(value) ? [column] : []));
}

/** Whether a save sets or removes a secret, or changes where one goes. */
export function touchesSecrets(before: SettingsRecord, edit: EditSettings): boolean {
  const isTouched = sentSecrets(edit).some(
    ({ column, value }) => isNew(value) || (value === '' && before[column] !== null),
  );
  return isTouched || sentCredentials(edit).some((sent) => sent.isDestination && isMoved(before, sent));
}

/** Whether a member has another value than the stored one; a cleared one has. */
export function isMoved(before: SettingsRecord, { column, value }: SentCredential): boolean {
  return value !== (before[column] ?? '');
}

/** Whether the engine may do more after a save: it is switched on, or a marketplace that its keys had paused is. */
export function letsMoreHappen(before: SettingsRecord, edit: EditSettings): boolean {
  if (edit.autoRepricing && !before.autoRepricing) return true;
  return sentCredentials(edit).some(
    ({ marketplace, column, isSecret }) =>
      isSecret &&
      before[column] !== null &&
      !before[`${marketplace}Enabled`] &&
      edit.marketplaces[marketplace].enabled,
  );
}
