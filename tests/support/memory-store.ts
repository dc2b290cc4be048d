import { createHash } from 'node:crypto';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Bucket, ObjectStore, OpenObjectStore } from '#connectors/object-store.ts';

/** The stores of a test, and what was opened. */
export type MemoryStores = OpenObjectStore & {
  /** By key; one for all buckets. */
  readonly objects: Map<string, Buffer>;
  readonly opened: Bucket[];
  /** Calls of these methods fail. */
  readonly refused: Set<keyof ObjectStore>;
};

/** Buckets in memory. */
export function openMemoryStore(): MemoryStores {
  const objects = new Map<string, Buffer>();
  const opened: Bucket[] = [];
  const refused = new Set<keyof ObjectStore>();
  const allow = (method: keyof ObjectStore): void => {
    if (refused.has(method)) throw new ConnectorError('permission', `No right to ${method}.`);
  };
  const store: ObjectStore = {
    put: async (key, content) => {
      allow('put');
      objects.set(key, Buffer.from(content));
    },
    upload: async (key, source) => {
      allow('upload');
      const bytes = Buffer.alloc(source.bytes);
      await source.read(bytes, 0);
      objects.set(key, bytes);
    },
    stateOf: async (key) => {
      allow('stateOf');
      const bytes = objects.get(key);
      return bytes === undefined ? null : { bytes: bytes.length, etag: etagOf(bytes) };
    },
    read: async (key, _, { at, bytes }) => {
      allow('read');
      return (objects.get(key) ?? Buffer.alloc(0)).subarray(at, at + bytes);
    },
    list: async (prefix) => {
      allow('list');
      return [...objects]
        .filter(([key]) => key.startsWith(prefix) && !key.slice(prefix.length).includes('/'))
        .map(([key, { length: bytes }]) => ({ key, bytes }));
    },
    remove: async (key) => {
      allow('remove');
      objects.delete(key);
    },
    abortUploads: async () => allow('abortUploads'),
  };
  const open = (bucket: Bucket): ObjectStore => {
    opened.push(bucket);
    return store;
  };
  return Object.assign(open, { objects, opened, refused });
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}
