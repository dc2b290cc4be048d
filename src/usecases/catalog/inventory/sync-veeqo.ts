import { ConnectorError } from '#connectors/connector-error.ts';
import type { InventorySource } from '#connectors/inventory-source.ts';
import { SYNC_LIST, type VeeqoSync } from '#contract/settings.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { deletedAmong, insertNewSkus } from '#db/queries/catalog/synced-skus.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { recordVeeqoSync } from '#db/queries/marketplaces/connections/settings.ts';
import { readSettings, type SettingsRecord } from '#db/queries/repricing/pricing-context.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { OTHER_KEY, openSecret, SecretError } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { secretPlace } from '#usecases/marketplaces/settings/settings-columns.ts';
import { type Inventory, readInventory } from './read-inventory.ts';

export interface InventoryDeps {
  readonly db: Db;
  readonly secrets: SecretKeys;
  readonly now: () => Instant;
  readonly inventory: InventorySource;
}

/** SKUs per statement. */
const BATCH = 1_000;

/**
 * Adds the SKUs of Veeqo that are not stored yet; existing ones do not change. All are read before the first write, so
 * a failure changes nothing.
 * @param signal aborts the sync
 * @returns the error as a sentence where a user can fix it: the API key, Veeqo, the network
 */
export async function syncVeeqo(
  deps: InventoryDeps,
  editor: Editor,
  signal: AbortSignal,
): Promise<VeeqoSync> {
  const settings = await readSettings(deps.db);
  const problem = readinessProblem(settings);
  if (problem !== null) return failure(problem, settings.veeqoLastSync);
  try {
    const apiKey = await veeqoKey(settings, deps.secrets);
    return await take(deps, await readInventory(deps.inventory, apiKey, signal), editor);
  } catch (error) {
    if (error instanceof ConnectorError || error instanceof SecretError) {
      return failure(withWayOut(error), settings.veeqoLastSync);
    }
    throw error;
  }
}

/** Too many SKUs for one sync: retrying cannot help, a file does. */
function withWayOut(error: ConnectorError | SecretError): string {
  const isSlow = error instanceof ConnectorError && error.fault === 'time';
  return isSlow ? `${error.message} Import a large catalog as a CSV file under Imports.` : error.message;
}

/** Why Veeqo cannot be synced; null when it can. */
export function readinessProblem({ veeqoEnabled, veeqoApiKey }: SettingsRecord): string | null {
  if (!veeqoEnabled) return 'Veeqo is turned off. Turn it on, save the settings, then sync.';
  if (veeqoApiKey === null) return 'No API key for Veeqo is stored. Enter it, save the settings, then sync.';
  return null;
}

/** @throws SecretError when the stored key cannot be read on this server */
export async function veeqoKey({ veeqoApiKey }: SettingsRecord, secrets: SecretKeys): Promise<string> {
  const key = await secrets.current();
  if (key === null) throw new SecretError(OTHER_KEY);
  return openSecret(key, secretPlace('veeqoApiKey'), veeqoApiKey ?? '');
}

async function take({ db, now }: InventoryDeps, inventory: Inventory, editor: Editor): Promise<VeeqoSync> {
  const { skus, passedOver } = inventory;
  const at = now();
  return transact(db, async (tx) => {
    const added = new Set<string>();
    for (let from = 0; from < skus.length; from += BATCH) {
      for (const sku of await insertNewSkus(tx, skus.slice(from, from + BATCH), at)) added.add(sku);
    }
    const known = skus.filter(({ sku }) => !added.has(sku));
    const deleted = await deletedAmong(
      tx,
      known.map(({ sku }) => sku),
    );
    // Deleted by a user on purpose: restored by Undo, or by adding them again.
    const leftDeleted = known.filter(({ sku }) => deleted.has(sku));
    const skipped = known.filter(({ sku }) => !deleted.has(sku));
    const incomplete = skus.filter(
      ({ sku, productCost, weight }) => added.has(sku) && (productCost === null || weight === null),
    );
    await recordVeeqoSync(tx, at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'veeqo.synced',
      targetKind: 'settings',
      targetId: 'default',
      after: {
        imported: added.size,
        skipped: skipped.length,
        leftDeleted: leftDeleted.length,
        passedOver: passedOver.length,
      },
    });
    if (added.size > 0) await notify(tx, 'pricewright_listings', []);
    return {
      success: true,
      error: null,
      imported: added.size,
      skipped: skipped.length,
      lastSync: new Date(at).toISOString(),
      skippedSkus: codes(skipped),
      leftDeleted: leftDeleted.length,
      leftDeletedSkus: codes(leftDeleted),
      incomplete: incomplete.length,
      incompleteSkus: codes(incomplete),
      passedOver: passedOver.length,
      passedOverItems: passedOver.slice(0, SYNC_LIST),
    };
  });
}

function codes(skus: readonly { readonly sku: string }[]): string[] {
  return skus.slice(0, SYNC_LIST).map(({ sku }) => sku);
}

function failure(error: string, lastSync: Instant | null): VeeqoSync {
  return {
    success: false,
    error,
    imported: 0,
    skipped: 0,
    leftDeleted: 0,
    incomplete: 0,
    passedOver: 0,
    lastSync: lastSync === null ? null : new Date(lastSync).toISOString(),
    skippedSkus: [],
    leftDeletedSkus: [],
    incompleteSkus: [],
    passedOverItems: [],
  };
}
