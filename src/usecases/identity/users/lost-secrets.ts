import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  type DataKeyRow,
  deleteDataKeys,
  listDataKeys,
  lockDataKeys,
} from '#db/queries/identity/data-keys.ts';
import { dropSealed, readSealed, type SealedRecord } from '#db/queries/identity/sealed-columns.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { endAccessOf } from '#usecases/identity/accounts/end-access.ts';
import { unwrap } from '#usecases/identity/encryption/data-keys.ts';
import { keyIdOf, keyWith, SecretError, type SecretKey } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { clearTwoFactor } from '#usecases/identity/two-factor/clear-two-factor.ts';

/** Stored secrets that cannot be decrypted with the available keys. */
export interface LostSecrets {
  readonly records: readonly SealedRecord[];
  /** Data keys that the master keys do not decrypt. */
  readonly dataKeys: readonly string[];
  /** Ids of the missing keys, as records name them. */
  readonly missing: readonly string[];
}

/** @throws SecretError when the master key itself cannot be read */
export async function findLostSecrets(db: Db, master: SecretKeys): Promise<LostSecrets> {
  const outer = await master.current();
  const rows = await listDataKeys(db);
  const opened = rows.filter((row) => outer !== null && isOpenedBy(outer, row));
  const shut = rows.filter((row) => !opened.includes(row));
  const known = new Set(opened.map(({ id }) => id));
  const isReadable = (id: string | null): boolean =>
    id !== null && (known.has(id) || (outer !== null && keyWith(outer, id) !== null));
  const records = (await readSealed(db)).filter(({ record }) => !isReadable(keyIdOf(record)));
  const missing = new Set([
    ...shut.map(({ wrapped }) => keyIdOf(wrapped)),
    ...records.map(({ record }) => keyIdOf(record)).filter((id) => !shut.some((row) => row.id === id)),
  ]);
  return {
    records,
    dataKeys: shut.map(({ id }) => id),
    missing: [...missing].map((id) => id ?? 'none'),
  };
}

/** Whether any stored secret cannot be decrypted. */
export function isAnyLost({ records, dataKeys }: LostSecrets): boolean {
  return records.length > 0 || dataKeys.length > 0;
}

/**
 * Deletes every secret that cannot be decrypted with the available keys, so that the server can start. A lost second
 * factor is turned off.
 * @returns what was deleted
 */
export async function forgetLostSecrets(db: Db, master: SecretKeys, at: Instant): Promise<LostSecrets> {
  const lost = await findLostSecrets(db, master);
  if (!isAnyLost(lost)) return lost;
  await transact(db, async (tx) => {
    await lockDataKeys(tx);
    for (const record of lost.records) await forget(tx, record, at);
    await deleteDataKeys(tx, lost.dataKeys);
    await insertAudit(tx, {
      at,
      actor: 'command line',
      action: 'keys.forgotten',
      targetKind: 'keys',
      targetId: lost.missing.join(' '),
      after: { secrets: lost.records.map(({ column, keys }) => column.placeOf(keys)) },
    });
  });
  return lost;
}

/** A lost second factor is removed as a whole, and its owner's sessions end. */
async function forget(tx: Db, sealed: SealedRecord, at: Instant): Promise<void> {
  const [userId] = sealed.keys;
  if (sealed.column.whenLost !== 'switch_off_second_factor' || userId === undefined) {
    await dropSealed(tx, sealed);
    return;
  }
  await clearTwoFactor(tx, userId, at);
  await endAccessOf(tx, userId);
}

function isOpenedBy(master: SecretKey, row: DataKeyRow): boolean {
  try {
    unwrap(master, row);
    return true;
  } catch (error) {
    if (error instanceof SecretError) return false;
    throw error;
  }
}
