import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  deleteDataKeys,
  insertDataKey,
  listDataKeys,
  lockDataKeys,
  rewrapDataKey,
} from '#db/queries/identity/data-keys.ts';
import { readSealed, replaceSealed, type SealedRecord } from '#db/queries/identity/sealed-columns.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { newDataKey, ringOf, unwrap, wrap } from './data-keys.ts';
import { keyIdOf, openSecret, SecretError, type SecretKey, sealSecret } from './secret-box.ts';
import type { MasterKeys } from './secret-keys.ts';

/** The result of a key rotation. */
export interface Rotation {
  /** Secrets that were encrypted again. */
  readonly resealed: number;
  /** Secrets that no key here decrypts; they do not change. */
  readonly unreadable: number;
}

/** Attempts for a secret that changes while it is encrypted again. */
const MAX_PASSES = 3;

/**
 * Encrypts the data keys with the next master key and every secret with a new data key. Interrupted at any point and
 * started again, it reaches the same result; until then a process with both master keys can read everything.
 * @param onSealed receives each secret after it is encrypted again
 * @throws SecretError when the data keys cannot be decrypted
 */
export async function rotateKeys(
  { db, master, now }: { db: Db; master: MasterKeys; now: () => Instant },
  onSealed: () => void = () => undefined,
): Promise<Rotation> {
  // Creates the first key where nothing was ever stored.
  const outer = await master.forWriting();
  const next = await master.next();
  const before = await changeDataKeys(db, { ...outer, older: [...(outer.older ?? []), next] }, next, now());
  await master.putNextInForce();
  const ring = ringOf(await listDataKeys(db), await master.forWriting());
  let resealed = 0;
  let unreadable = 0;
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const left = (await readSealed(db)).filter(({ record }) => keyIdOf(record) !== ring.id);
    unreadable = 0;
    for (const sealed of left) {
      const isDone = await reseal(db, ring, sealed);
      if (isDone === null) unreadable += 1;
      if (isDone !== true) continue;
      resealed += 1;
      onSealed();
    }
    if (left.length === unreadable) break;
  }
  await finish(db, ring, before, { resealed, unreadable }, now());
  if (unreadable === 0) await master.forgetOlder();
  return { resealed, unreadable };
}

/** @returns the data keys that an earlier rotation had replaced already */
async function changeDataKeys(db: Db, outer: SecretKey, next: SecretKey, at: Instant): Promise<string[]> {
  return transact(db, async (tx) => {
    await lockDataKeys(tx);
    const rows = await listDataKeys(tx);
    for (const row of rows) await rewrapDataKey(tx, row.id, wrap(next, unwrap(outer, row)));
    await insertDataKey(tx, newDataKey(next, at));
    return rows.slice(1).map(({ id }) => id);
  });
}

/** @returns whether it was encrypted again; false when it was changed in between, null when no key decrypts it */
async function reseal(db: Db, ring: SecretKey, sealed: SealedRecord): Promise<boolean | null> {
  const place = sealed.column.placeOf(sealed.keys);
  try {
    return await replaceSealed(db, sealed, sealSecret(ring, place, openSecret(ring, place, sealed.record)));
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}

/**
 * Deletes data keys that no secret uses. The one that was in force until now is kept until the next time: a concurrent
 * save may still use it.
 */
async function finish(
  db: Db,
  { id: newest }: SecretKey,
  replacedBefore: readonly string[],
  { resealed, unreadable }: Rotation,
  at: Instant,
): Promise<void> {
  const used = new Set((await readSealed(db)).map(({ record }) => keyIdOf(record)));
  await transact(db, async (tx) => {
    await deleteDataKeys(
      tx,
      replacedBefore.filter((id) => !used.has(id)),
    );
    await insertAudit(tx, {
      at,
      actor: 'command line',
      action: 'keys.rotated',
      targetKind: 'keys',
      targetId: newest,
      after: { resealed, unreadable },
    });
  });
}
