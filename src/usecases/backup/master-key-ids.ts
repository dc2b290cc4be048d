import type { Db } from '#db/client.ts';
import { listDataKeys } from '#db/queries/identity/data-keys.ts';
import { readSealed, SEALED_COLUMNS } from '#db/queries/identity/sealed-columns.ts';
import { keyIdOf } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';

/**
 * Ids of the master keys without which stored secrets cannot be decrypted.
 * @param tables those that there are: an older schema lacks some of the columns
 */
export async function neededMasterKeys(
  db: Db,
  tables: readonly { readonly name: string; readonly columns: readonly string[] }[],
): Promise<string[]> {
  const columns = new Map(tables.map((table) => [table.name, new Set(table.columns)]));
  const sealed = await readSealed(
    db,
    SEALED_COLUMNS.filter(({ table, column }) => columns.get(table)?.has(column) === true),
  );
  const dataKeys = columns.has('data_keys') ? await listDataKeys(db) : [];
  const own = new Set(dataKeys.map(({ id }) => id));
  const ids = new Set([
    ...dataKeys.map(({ wrapped }) => keyIdOf(wrapped)),
    ...sealed.map(({ record }) => keyIdOf(record)).filter((id) => id !== null && !own.has(id)),
  ]);
  return [...ids].filter((id) => id !== null).sort();
}

/** Those of the ids whose key is not available. */
export async function missingMasterKeys(ids: readonly string[], master: SecretKeys): Promise<string[]> {
  const key = await master.current();
  const available = new Set(key === null ? [] : [key, ...(key.older ?? [])].map(({ id }) => id));
  return ids.filter((id) => !available.has(id));
}
