import type { Instant } from '#domain/units.ts';

/** A bucket of an S3-compatible service, and the key that opens it. */
export interface Bucket {
  /** The origin of the service: "https://s3.eu-central-1.amazonaws.com". */
  readonly endpoint: string;
  readonly region: string;
  readonly name: string;
  /** Whether the bucket's name is in the path of an address; else it is the first part of the host name. */
  readonly isPathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials; null for others. */
  readonly sessionToken: string | null;
}

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

/** An object as it is now. */
export interface ObjectState {
  readonly bytes: number;
  /** Changes with its content. As the service writes it, with quotes. */
  readonly etag: string;
}

/** What is uploaded. It is read more than once, and must not change. */
export interface UploadSource {
  readonly bytes: number;
  /** Fills the target from that place on, as far as there are bytes. @returns how many were read */
  read(target: Buffer, at: number): Promise<number>;
}

/**
 * The objects of a bucket. Keys consist of letters, digits, dots, hyphens, underscores and slashes. Every call is retried
 * after failures that may pass.
 *
 * Every method throws a ConnectorError whose message is one sentence for an administrator: what, where and how to fix it. A
 * call whose signal is aborted throws the signal's reason.
 */
export interface ObjectStore {
  /** Stores a small object in one call, over one of that key. */
  put(key: string, content: Buffer, signal: AbortSignal): Promise<void>;
  /**
   * Stores a large object in parts, of which one is in memory, and proves that the service has all of its bytes. After a
   * failure nothing of it remains, as far as the service can be reached.
   */
  upload(key: string, source: UploadSource, signal: AbortSignal): Promise<void>;
  /** Null where there is no such object. */
  stateOf(key: string, signal: AbortSignal): Promise<ObjectState | null>;
  /** Bytes of an object from a place on; fault "refused" when the object is not in this state any longer. */
  read(
    key: string,
    state: ObjectState,
    range: { readonly at: number; readonly bytes: number },
    signal: AbortSignal,
  ): Promise<Buffer>;
  /** All objects whose keys begin with the prefix and have no further slash. */
  list(prefix: string, signal: AbortSignal): Promise<readonly StoredObject[]>;
  /** It is no error when there is no such object. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /**
   * Aborts uploads that were begun and never ended, whose parts cost space that no list of objects shows.
   * @param isOld whether the upload of this key, begun at this moment, is one of them
   */
  abortUploads(
    prefix: string,
    isOld: (key: string, begunAt: Instant) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
}

/**
 * Opens a bucket; nothing is called yet.
 * @param limits attempts of a call including the first, where a user waits for it
 */
export type OpenObjectStore = (bucket: Bucket, limits?: { readonly attempts: number }) => ObjectStore;
