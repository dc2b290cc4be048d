import { type EditSettings, SECRET_MASK } from '#contract/settings.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/audit.ts';
import { lockSettings, type SettingsPatch, updateSettings } from '#db/queries/settings.ts';
import type { SettingsRecord } from '#db/queries/shop.ts';
import { credentialsOf } from '#domain/credentials.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { type SecretKey, sealSecret } from '#usecases/secrets/secret-box.ts';
import type { SecretKeys } from '#usecases/secrets/secret-keys.ts';
import { maskedSettings } from './masked-settings.ts';
import { credentialColumn, type SecretColumn, secretPlace } from './settings-columns.ts';

interface SaveDeps {
  readonly db: Db;
  readonly secrets: SecretKeys;
  readonly now: () => Instant;
}

/**
 * Saves the settings. A masked secret is kept, an empty one removed, any other is locked with the key of this server.
 * Listings are due by themselves where a switch decides about them.
 * @throws AppError conflict when somebody else saved since; validation_failed when a destination changed without its
 * secret; SecretError when a secret cannot be locked
 */
export async function saveSettings(
  { db, secrets, now }: SaveDeps,
  edit: EditSettings,
  editor: Editor,
): Promise<SettingsRecord> {
  const replaced = replacedSecrets(edit);
  // Before the transaction: nothing may wait for a file inside it.
  const key = replaced.length === 0 ? null : await secrets.forWriting();
  return db.transaction(async (tx) => {
    const before = await lockSettings(tx);
    if (edit.version !== undefined && edit.version !== before.version) {
      throw new AppError(
        'conflict',
        'Somebody else saved the settings since you opened this page. Reload it, look at the new values and change them again.',
      );
    }
    refuseMovedDestinations(before, edit);
    const at = now();
    const after = await updateSettings(tx, patchOf(edit, key), at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'settings.saved',
      targetKind: 'settings',
      targetId: 'default',
      before: maskedSettings(before),
      after: { ...maskedSettings(after), replacedSecrets: replaced },
    });
    await notify(tx, 'pricewright_engine', []);
    return after;
  });
}

interface SentCredential {
  readonly marketplace: Marketplace;
  readonly name: string;
  readonly isSecret: boolean;
  readonly isDestination: boolean;
  readonly value: string;
}

/** The credentials of a save, one by one. */
function sentCredentials({ marketplaces }: EditSettings): SentCredential[] {
  return MARKETPLACES.flatMap((marketplace) => {
    const sent: Readonly<Record<string, string | boolean>> = marketplaces[marketplace];
    return credentialsOf(marketplace).map((member) => ({
      ...{ ...member, marketplace },
      value: String(sent[member.name] ?? ''),
    }));
  });
}

const isKept = (secret: string): boolean => secret === SECRET_MASK;
const isNew = (secret: string): boolean => secret !== '' && !isKept(secret);

/** Columns of the secrets that get a new value. */
function replacedSecrets(edit: EditSettings): SecretColumn[] {
  const veeqo: SecretColumn[] = isNew(edit.veeqo.apiKey) ? ['veeqoApiKey'] : [];
  const others = sentCredentials(edit).filter(({ isSecret, value }) => isSecret && isNew(value));
  return [...veeqo, ...others.map(({ marketplace, name }) => credentialColumn(marketplace, name))];
}

/** A key that is stored must not start to go somewhere else: whoever changes where has to know it. */
function refuseMovedDestinations(before: SettingsRecord, edit: EditSettings): void {
  const sent = sentCredentials(edit);
  const fields: Record<string, string> = {};
  for (const { marketplace, name, isDestination, value } of sent) {
    const stored = before[credentialColumn(marketplace, name)] ?? '';
    if (!isDestination || value === '' || value === stored) continue;
    const secret = sent.find((each) => each.marketplace === marketplace && each.isSecret);
    if (secret === undefined || !isKept(secret.value)) continue;
    if (before[credentialColumn(marketplace, secret.name)] === null) continue;
    fields[`marketplaces.${marketplace}.${secret.name}`] =
      'Enter the key again: it was stored for another account';
  }
  if (Object.keys(fields).length > 0) {
    throw new AppError(
      'validation_failed',
      'A key goes with the account it was stored for. Enter it again.',
      {
        fields,
      },
    );
  }
}

function patchOf(edit: EditSettings, key: SecretKey | null): SettingsPatch {
  const { autoRepricing, checkInterval, notifications, veeqo, marketplaces } = edit;
  const patch: SettingsPatch = { autoRepricing, checkInterval, notifications, veeqoEnabled: veeqo.enabled };
  for (const marketplace of MARKETPLACES) {
    patch[`${marketplace}Enabled`] = marketplaces[marketplace].enabled;
  }
  for (const { marketplace, name, isSecret, value } of sentCredentials(edit)) {
    const column = credentialColumn(marketplace, name);
    if (isSecret) setSecret(patch, column, value, key);
    else patch[column] = value === '' ? null : value;
  }
  setSecret(patch, 'veeqoApiKey', veeqo.apiKey, key);
  return patch;
}

function setSecret(patch: SettingsPatch, column: SecretColumn, value: string, key: SecretKey | null): void {
  if (value === '') patch[column] = null;
  else if (!isKept(value) && key !== null) patch[column] = sealSecret(key, secretPlace(column), value);
}
