import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Bucket, ObjectState, ObjectStore, OpenObjectStore } from '#connectors/object-store.ts';
import { bucketText, isReadableOnTheWay } from '#domain/backups/bucket-address.ts';
import { SEALED_MAGIC } from '#files/backup/sealed-stream.ts';
import type { ByteSource } from '#files/byte-source.ts';
import { FileError } from '#files/file-error.ts';
import { backupOf, type FoundBackup, oldestOf, STALE } from './old-backups.ts';

/** Bytes of a backup that are read at once: two of these are in memory. */
const PIECE = 8 * 1_024 * 1_024;
const NEVER = new AbortController().signal;

/** Where backups are in a bucket. Errors of its methods are FileErrors, one sentence for an administrator. */
export interface BackupBucket {
  /** "s3://backups/shop/" */
  readonly text: string;
  /** Distinguishes it from a bucket of that name in another service: "https://minio.example.com/backups/shop/". */
  readonly id: string;
  /** Uploads a file under a name that no object has, and proves that it is there whole. */
  upload(path: string, name: string, signal: AbortSignal): Promise<void>;
  /** The backups directly in it, by their names, the oldest first. */
  find(signal: AbortSignal): Promise<FoundBackup[]>;
  /** Deletes the oldest backups. @param keep how many of the newest stay @returns what was deleted */
  deleteOld(keep: number, now: number, signal: AbortSignal): Promise<string[]>;
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Aborts uploads of backups that were killed, as far as the key may. */
  clear(now: number, signal: AbortSignal): Promise<void>;
  /** The bytes of a backup. */
  open(name: string): Promise<ByteSource>;
  /** Writes, lists, reads and deletes a small object. */
  test(signal: AbortSignal): Promise<void>;
}

/** @param prefix of the keys: "" or "shop/" */
export function openBackupBucket(openStore: OpenObjectStore, bucket: Bucket, prefix: string): BackupBucket {
  const store = openStore(bucket);
  const text = bucketText({ bucket: bucket.name, prefix });
  const find = async (signal: AbortSignal): Promise<FoundBackup[]> => {
    const objects = await reported(signal, () => store.list(prefix, signal));
    return objects
      .map(({ key, bytes }) => backupOf(key.slice(prefix.length), bytes))
      .filter((backup) => backup !== null)
      .sort((a, b) => a.takenAt - b.takenAt);
  };
  const remove = (name: string, signal: AbortSignal) =>
    reported(signal, () => store.remove(`${prefix}${name}`, signal));
  return {
    text,
    id: bucketId(bucket, prefix),
    upload: (path, name, signal) =>
      reported(signal, async () => {
        const key = `${prefix}${name}`;
        await requireEncrypted(bucket, path);
        if ((await store.stateOf(key, signal)) !== null) {
          throw new FileError(`${text}${name} already exists. Start again in a moment.`);
        }
        await uploadFile(store, path, key, signal);
      }),
    find,
    deleteOld: async (keep, now, signal) => {
      const names = (await find(signal)).map(({ name }) => name);
      const old = oldestOf(names, keep, now);
      for (const name of old) await remove(name, signal);
      return old.map((name) => `${text}${name}`);
    },
    remove,
    clear: async (now, signal) => {
      const isStale = (key: string, begunAt: number): boolean =>
        backupOf(key.slice(prefix.length), 0) !== null && now - begunAt > STALE;
      // The backup is made: what a key may not do, or a service does not know, is no reason against it.
      await store.abortUploads(prefix, isStale, signal).catch((error: unknown) => {
        if (!(error instanceof ConnectorError)) throw error;
      });
    },
    open: (name) => reported(NEVER, () => openObject(store, bucket, prefix, name)),
    test: (signal) => reported(signal, () => testStore(store, prefix, signal)),
  };
}

/** The id of a {@link BackupBucket}. */
export function bucketId({ endpoint, name }: Pick<Bucket, 'endpoint' | 'name'>, prefix: string): string {
  return `${endpoint}/${name}/${prefix}`;
}

/** Errors of the service become sentences for an administrator. */
async function reported<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ConnectorError ? new FileError(error.message) : error;
  }
}

/** @throws FileError when everyone on the way could read the backup */
async function requireEncrypted({ endpoint }: Bucket, path: string): Promise<void> {
  if (!isReadableOnTheWay(endpoint)) return;
  const file = await open(path);
  try {
    const start = Buffer.alloc(SEALED_MAGIC.length);
    await file.read(start, 0, start.length, 0);
    if (!start.equals(SEALED_MAGIC)) throw new FileError(plainHttp(endpoint));
  } finally {
    await file.close();
  }
}

/** Why a backup that is not encrypted does not go there. */
export function plainHttp(endpoint: string): string {
  return `${endpoint} is not https: everyone on the way could read the backup. Use https, or encrypt backups.`;
}

async function uploadFile(store: ObjectStore, path: string, key: string, signal: AbortSignal): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (target: Buffer, at: number): Promise<number> =>
      (await file.read(target, 0, target.length, at)).bytesRead;
    await store.upload(key, { bytes: size, read }, signal);
  } finally {
    await file.close();
  }
}

async function openObject(
  store: ObjectStore,
  bucket: Bucket,
  prefix: string,
  name: string,
): Promise<ByteSource> {
  const key = `${prefix}${name}`;
  const state = name === '' ? null : await store.stateOf(key, NEVER);
  if (state === null) throw new FileError(await missing(store, bucket, prefix, name));
  if (isReadableOnTheWay(bucket.endpoint)) {
    // Who can read it on the way can also put another one in its place, unless a passphrase seals it.
    const bytes = Math.min(SEALED_MAGIC.length, state.bytes);
    const start = bytes === 0 ? SEALED_MAGIC : await store.read(key, state, { at: 0, bytes }, NEVER);
    if (!start.equals(SEALED_MAGIC)) throw new FileError(plainHttp(bucket.endpoint));
  }
  return objectSource(store, key, state);
}

/** For the user who restores on a new machine, and does not know the names. */
async function missing(store: ObjectStore, bucket: Bucket, prefix: string, name: string): Promise<string> {
  const folder = `${prefix}${name}`.replace(/\/?$/, '/').replace(/^\/$/, '');
  const place = (of: string): string => bucketText({ bucket: bucket.name, prefix: of });
  for (const each of new Set([folder, prefix])) {
    const names = (await store.list(each, NEVER)).map(({ key }) => key.slice(each.length));
    const newest = names
      .filter((one) => backupOf(one, 0) !== null)
      .sort()
      .at(-1);
    if (newest !== undefined) {
      return `${place(prefix)}${name} is no backup. The newest one there is ${place(each)}${newest}.`;
    }
  }
  return `${place(prefix)}${name} does not exist, and there is no backup next to it. Check its name.`;
}

/** Piece by piece, of which the next one is read ahead; none is of another version of the object. */
function objectSource(store: ObjectStore, key: string, state: ObjectState): ByteSource {
  const closing = new AbortController();
  let at = 0;
  const readNext = (): Promise<Buffer> | null => {
    const bytes = Math.min(PIECE, state.bytes - at);
    if (bytes <= 0) return null;
    const piece = reported(closing.signal, () => store.read(key, state, { at, bytes }, closing.signal));
    piece.catch(() => undefined);
    at += bytes;
    return piece;
  };
  let next = readNext();
  let rest: Buffer = Buffer.alloc(0);
  return {
    read: async (target) => {
      if (rest.length === 0) {
        if (next === null) return 0;
        rest = await next;
        next = readNext();
      }
      const size = Math.min(rest.length, target.length);
      target.set(rest.subarray(0, size));
      rest = rest.subarray(size);
      return size;
    },
    close: async () => closing.abort(new FileError(`${key} was closed.`)),
  };
}

async function testStore(store: ObjectStore, prefix: string, signal: AbortSignal): Promise<void> {
  const key = `${prefix}pricewright-test-${randomBytes(8).toString('hex')}`;
  const content = randomBytes(32);
  await store.put(key, content, signal);
  try {
    const state = await store.stateOf(key, signal);
    const bytes = content.length;
    const isThere = (await store.list(prefix, signal)).some((each) => each.key === key);
    const read = state?.bytes === bytes ? await store.read(key, state, { at: 0, bytes }, signal) : null;
    if (!isThere || read?.equals(content) !== true) {
      throw new FileError('What was written for the test is not what is there. Check the service.');
    }
  } catch (error) {
    await store.remove(key, signal).catch(() => undefined);
    throw error;
  }
  await store.remove(key, signal);
}
