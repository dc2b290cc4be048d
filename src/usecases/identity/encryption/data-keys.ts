import { randomBytes } from 'node:crypto';
import type { Db } from '#db/client.ts';
import {
  type DataKeyRow,
  insertDataKey,
  listDataKeys,
  lockDataKeys,
} from '#db/queries/identity/data-keys.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import {
  KEY_BYTES,
  OTHER_KEY,
  openSecret,
  SecretError,
  type SecretKey,
  sealSecret,
  secretKeyOf,
} from './secret-box.ts';
import type { SecretKeys } from './secret-keys.ts';

/** A data key is encrypted for its own row, like any other secret. */
const placeOf = (id: string): string => `data_keys/${id}/wrapped`;

/** A new data key as its row. */
export function newDataKey(master: SecretKey, createdAt: Instant): DataKeyRow {
  const key = secretKeyOf(randomBytes(KEY_BYTES));
  return { id: key.id, wrapped: wrap(master, key), createdAt };
}

/** Encrypts a data key with a master key. */
export function wrap(master: SecretKey, { id, bytes }: SecretKey): string {
  return sealSecret(master, placeOf(id), bytes.toString('base64url'));
}

/** @throws SecretError when the master keys cannot decrypt it */
export function unwrap(master: SecretKey, { id, wrapped }: Pick<DataKeyRow, 'id' | 'wrapped'>): SecretKey {
  return secretKeyOf(Buffer.from(openSecret(master, placeOf(id), wrapped), 'base64url'));
}

/**
 * The keys in the database that encrypt secrets. The master key encrypts them in turn, so replacing it rewrites only a
 * row or two. Secrets from before there were data keys are encrypted with the master key itself.
 */
export function dataKeysOf(db: Db, master: SecretKeys, now: () => Instant): SecretKeys {
  const current = async (): Promise<SecretKey | null> => {
    const outer = await master.current();
    const rows = await listDataKeys(db);
    if (rows.length === 0) return outer;
    if (outer === null) throw new SecretError(OTHER_KEY);
    return ringOf(rows, outer);
  };
  return {
    current,
    forWriting: async () => {
      const outer = await master.forWriting();
      if ((await listDataKeys(db)).length === 0) {
        await transact(db, async (tx) => {
          await lockDataKeys(tx);
          if ((await listDataKeys(tx)).length === 0) await insertDataKey(tx, newDataKey(outer, now()));
        });
      }
      return ringOf(await listDataKeys(db), outer);
    },
  };
}

/**
 * The newest data key, with every other key that may have encrypted something.
 * @throws SecretError when the newest cannot be decrypted
 */
export function ringOf(rows: readonly DataKeyRow[], master: SecretKey): SecretKey {
  const [newest, ...rest] = rows;
  if (newest === undefined) return master;
  const older = rest.flatMap((row) => {
    try {
      return [unwrap(master, row)];
    } catch (error) {
      // Secrets of this key are reported where they are read.
      if (error instanceof SecretError) return [];
      throw error;
    }
  });
  return { ...unwrap(master, newest), older: [...older, master, ...(master.older ?? [])] };
}
