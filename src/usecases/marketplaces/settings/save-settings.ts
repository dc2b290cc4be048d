import type { EditSettings } from '#contract/settings.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { isZoneKnown } from '#db/queries/catalog/shop-days.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  listFurtherCredentials,
  setFurtherCredential,
} from '#db/queries/marketplaces/connections/connector-credentials.ts';
import { dropTokens, recordNewCredentials } from '#db/queries/marketplaces/connections/integrations.ts';
import {
  lockSettings,
  type SettingsPatch,
  updateSettings,
} from '#db/queries/marketplaces/connections/settings.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { requireStepUp, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { type SecretKey, sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { lastChangeText } from '#usecases/last-change.ts';
import { resetModeOnConnect } from '#usecases/repricing/engine/reset-mode-on-connect.ts';
import { maskedSettings } from './masked-settings.ts';
import { rejectMovedDestinations } from './moved-destinations.ts';
import {
  encryptsAnything,
  isChanged,
  isKept,
  loosensSettings,
  otherAccounts,
  replacedSecrets,
  type SentCredential,
  sentCredentials,
  touchesSecrets,
} from './sent-credentials.ts';
import { credentialColumn, type SecretColumn, secretPlace } from './settings-columns.ts';
import { keyForReading, placeOf, type StoredSettings } from './stored-credentials.ts';

interface SaveDeps {
  readonly db: Db;
  readonly secrets: SecretKeys;
  readonly now: () => Instant;
}

/**
 * Saves the settings. A masked secret is kept, an empty one removed, any other is encrypted with this server's key. Tokens
 * fetched with changed credentials are dropped. Database triggers mark the affected listings as due.
 * @throws AppError conflict when the settings were changed after they were loaded; validation_failed when a destination
 * changed without its secret, or the database does not know the time zone; step_up_required and two_factor_missing when it changes a secret or allows the engine more,
 * without a recent step-up; SecretError when a secret cannot be encrypted
 */
export async function saveSettings(
  { db, secrets, now }: SaveDeps,
  edit: EditSettings,
  editor: Editor,
  assurance: SessionAssurance,
): Promise<StoredSettings> {
  // Before the transaction, which must not wait for reading a file.
  const key = encryptsAnything(edit) ? await secrets.forWriting() : await keyForReading(secrets);
  // Retried when it conflicts with a change of the repricing mode.
  return transact(db, async (tx) => {
    const stored = { row: await lockSettings(tx), further: await listFurtherCredentials(tx) };
    const before = { stored, key };
    if (edit.version !== undefined && edit.version !== stored.row.version) {
      const change = await lastChangeText(tx, { ...stored.row, kind: 'settings', id: 'default' }, now());
      throw new AppError(
        'conflict',
        `Settings were changed after you opened this page${change}. Load the new values, then save again.`,
      );
    }
    if (touchesSecrets(before, edit)) {
      requireStepUp(assurance);
    }
    if (loosensSettings(before, edit)) requireStepUp(assurance);
    rejectMovedDestinations(before, edit);
    await rejectUnknownZone(tx, edit);
    const at = now();
    const { connected } = await readEngineSwitches(tx);
    const changed = sentCredentials(edit).filter((sent) => isChanged(before, sent));
    await writeFurther(tx, changed, key, at);
    await dropOutdated(tx, changed);
    const row = await updateSettings(tx, patchOf(edit, key), at);
    await resetModeOnConnect(tx, connected, otherAccounts(before, edit), editor, at);
    const after = { row, further: await listFurtherCredentials(tx) };
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'settings.saved',
      targetKind: 'settings',
      targetId: 'default',
      before: maskedSettings(stored, key),
      after: { ...maskedSettings(after, key), replacedSecrets: replacedSecrets(edit) },
    });
    await notify(tx, 'pricewright_engine', []);
    return after;
  });
}

/** The program's list of time zones may be newer than that of the database server, which counts days. */
async function rejectUnknownZone(tx: Db, { timeZone }: EditSettings): Promise<void> {
  if (!timeZone || (await isZoneKnown(tx, timeZone))) return;
  const message = `The database server does not know the time zone ${timeZone}. Enter another one with the same time.`;
  throw new AppError('validation_failed', message, { fields: { timeZone: message } });
}

async function writeFurther(
  tx: Db,
  changed: readonly SentCredential[],
  key: SecretKey | null,
  at: Instant,
): Promise<void> {
  for (const sent of changed.filter(({ isFurther }) => isFurther)) {
    const { marketplace, name, value } = sent;
    const locked = value === '' || key === null ? null : sealSecret(key, placeOf(marketplace, sent), value);
    await setFurtherCredential(tx, marketplace, name, locked, at);
  }
}

/** Drops check results and tokens that were obtained with the former credentials. */
async function dropOutdated(tx: Db, changed: readonly SentCredential[]): Promise<void> {
  const those = (some: readonly SentCredential[]): Marketplace[] =>
    MARKETPLACES.filter((marketplace) => some.some((sent) => sent.marketplace === marketplace));
  await recordNewCredentials(tx, those(changed));
  await dropTokens(tx, those(changed.filter(({ makesTokens }) => makesTokens)));
}

function patchOf(edit: EditSettings, key: SecretKey | null): SettingsPatch {
  const { autoRepricing, checkInterval, notifications, veeqo, marketplaces } = edit;
  const patch: SettingsPatch = { autoRepricing, checkInterval, notifications, veeqoEnabled: veeqo.enabled };
  if (edit.timeZone !== undefined) patch.timeZone = edit.timeZone || null;
  for (const marketplace of MARKETPLACES) {
    patch[`${marketplace}Enabled`] = marketplaces[marketplace].enabled;
  }
  for (const { marketplace, name, isSecret, isFurther, value } of sentCredentials(edit)) {
    if (isFurther) continue;
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
