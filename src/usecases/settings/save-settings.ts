import type { EditSettings } from '#contract/settings.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/audit.ts';
import { lockSettings, type SettingsPatch, updateSettings } from '#db/queries/settings.ts';
import type { SettingsRecord } from '#db/queries/shop.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { type Clearance, requireProof, requireTwoFactor } from '#usecases/accounts/clearance.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { type SecretKey, sealSecret } from '#usecases/secrets/secret-box.ts';
import type { SecretKeys } from '#usecases/secrets/secret-keys.ts';
import { maskedSettings } from './masked-settings.ts';
import { refuseMovedDestinations } from './moved-destinations.ts';
import {
  isKept,
  letsMoreHappen,
  replacedSecrets,
  sentCredentials,
  touchesSecrets,
} from './sent-credentials.ts';
import { type SecretColumn, secretPlace } from './settings-columns.ts';

interface SaveDeps {
  readonly db: Db;
  readonly secrets: SecretKeys;
  readonly now: () => Instant;
}

/**
 * Saves the settings. A masked secret is kept, an empty one removed, any other is locked with the key of this server.
 * Listings are due by themselves where a switch decides about them.
 * @throws AppError conflict when somebody else saved since; validation_failed when a destination changed without its
 * secret; step_up_required and two_factor_missing when it touches a secret, or lets the engine do more, and the session
 * is not cleared for that; SecretError when a secret cannot be locked
 */
export async function saveSettings(
  { db, secrets, now }: SaveDeps,
  edit: EditSettings,
  editor: Editor,
  clearance: Clearance,
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
    if (touchesSecrets(before, edit)) {
      requireTwoFactor(clearance);
      requireProof(clearance);
    }
    if (letsMoreHappen(before, edit)) requireProof(clearance);
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

function patchOf(edit: EditSettings, key: SecretKey | null): SettingsPatch {
  const { autoRepricing, checkInterval, notifications, veeqo, marketplaces } = edit;
  const patch: SettingsPatch = { autoRepricing, checkInterval, notifications, veeqoEnabled: veeqo.enabled };
  for (const marketplace of MARKETPLACES) {
    patch[`${marketplace}Enabled`] = marketplaces[marketplace].enabled;
  }
  for (const { column, isSecret, value } of sentCredentials(edit)) {
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
