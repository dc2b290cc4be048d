import { createHash, type Hash } from 'node:crypto';
import { ConnectorError } from '#connectors/connector-error.ts';
import type {
  Bucket,
  ObjectState,
  ObjectStore,
  StoredObject,
  UploadSource,
} from '#connectors/object-store.ts';
import { childrenOf, elementsOf, escapeXml, textAt, type XmlElement } from '#connectors/xml.ts';
import { type Instant, instant } from '#domain/units.ts';
import {
  LONGEST_COMPLETION,
  MOST_BYTES,
  type S3Answer,
  type S3Call,
  S3Calls,
  type S3Options,
} from './s3-calls.ts';
import { placeOf, type S3Operation } from './s3-errors.ts';

/*
 * Facts of the S3 API: parts have a number from 1 to 10,000 and 5 MB to 5 GB, but for the last; some services want all of
 * one size. The entity tag of an object in parts is the MD5 of their MD5s and their number, unless the service encrypts
 * with a key of the customer. A response of status 200 to the completion of an upload may be an error. A list has up to
 * 1,000 keys a page.
 */
const MIB = 1_024 * 1_024;
const LEAST_PART = 8 * MIB;
/** What of an object is in memory: a part, sent or read back. */
const MOST_PART = 64 * MIB;
const MOST_PARTS = 10_000;
/** Far more than backups need. A service that repeats a page never ends otherwise. */
const MOST_PAGES = 1_000;
/** Milliseconds for clearing up after a failure: less than a stopping process has. */
const CLEARING = 5_000;

const STORE: S3Operation = { verb: 'store objects', right: 's3:PutObject' };
/** Without the right to list, the answer for a missing object is a refusal too. */
const LOOK: S3Operation = { verb: 'look for objects', right: 's3:GetObject and s3:ListBucket' };
const READ: S3Operation = { verb: 'read objects', right: 's3:GetObject' };
const REMOVE: S3Operation = { verb: 'delete objects', right: 's3:DeleteObject' };
const LIST: S3Operation = { verb: 'list objects', right: 's3:ListBucket' };
const ABORT: S3Operation = { verb: 'abort uploads', right: 's3:AbortMultipartUpload' };
const LIST_UPLOADS: S3Operation = { verb: 'list uploads', right: 's3:ListBucketMultipartUploads' };

/** Opens a bucket. Nothing is called yet. */
export function openS3Store(bucket: Bucket, options: S3Options = {}): ObjectStore {
  const calls = new S3Calls(bucket, options);
  const store: ObjectStore = {
    put: async (key, bytes, signal) => {
      await calls.call({ method: 'PUT', operation: STORE, key, ...contentOf(bytes) }, signal);
    },
    upload: (key, source, signal) => upload(calls, store, key, source, signal),
    stateOf: (key, signal) => stateOf(calls, key, signal),
    read: async (key, { etag }, { at, bytes }, signal) => {
      const { body } = await calls.call(
        {
          method: 'GET',
          operation: READ,
          key,
          // A weak tag, which a proxy may make of it, never matches.
          headers: {
            range: `bytes=${at}-${at + bytes - 1}`,
            ...(etag.startsWith('"') && { 'if-match': etag }),
          },
        },
        signal,
      );
      if (body.length === bytes) return body;
      throw notS3(bucket, 'with another part of the object than the requested one');
    },
    list: (prefix, signal) => list(calls, prefix, signal),
    remove: async (key, signal) => {
      await calls.call({ method: 'DELETE', operation: REMOVE, key, alsoAnswers: [404] }, signal);
    },
    abortUploads: async (prefix, isOld, signal) => {
      for (const { key, id, begunAt } of await uploadsUnderWay(calls, prefix, signal))
        if (isOld(key, begunAt)) await abort(calls, key, id, signal);
    },
  };
  return store;
}

async function stateOf(calls: S3Calls, key: string, signal: AbortSignal): Promise<ObjectState | null> {
  const call: S3Call = { method: 'HEAD', operation: LOOK, key, alsoAnswers: [404] };
  const { status, headers } = await calls.call(call, signal);
  if (status === 404) return null;
  const { etag, 'content-length': length } = headers;
  if (typeof etag !== 'string' || typeof length !== 'string' || !/^\d{1,16}$/.test(length)) {
    throw notS3(calls.bucket, 'without size and entity tag of an object');
  }
  return { bytes: Number(length), etag };
}

async function upload(
  calls: S3Calls,
  store: ObjectStore,
  key: string,
  source: UploadSource,
  signal: AbortSignal,
): Promise<void> {
  const id = await startUpload(calls, key, signal);
  let isComplete = false;
  try {
    const sent = await sendParts(calls, key, id, source, signal);
    isComplete = true;
    await complete(calls, key, id, sent, signal);
    await prove(calls.bucket, store, key, source.bytes, sent, signal);
  } catch (error) {
    // Their own time: the signal may be aborted.
    const clearing = AbortSignal.timeout(CLEARING);
    await abort(calls, key, id, clearing).catch(() => undefined);
    if (isComplete) await store.remove(key, clearing).catch(() => undefined);
    throw error;
  }
}

async function startUpload(calls: S3Calls, key: string, signal: AbortSignal): Promise<string> {
  const call: S3Call = {
    method: 'POST',
    operation: STORE,
    key,
    query: { uploads: '' },
    headers: { 'content-type': 'application/octet-stream' },
  };
  const id = textAt(
    elementIn(calls, await calls.call(call, signal), 'InitiateMultipartUploadResult'),
    'UploadId',
  );
  if (id !== '') return id;
  throw notS3(calls.bucket, 'without the number of an upload');
}

interface Sent {
  /** Of each part, as the service gave them. */
  readonly etags: readonly string[];
  /** The entity tag of the object, where it is made of the MD5s of the parts. */
  readonly etag: string;
  /** Of all bytes, in hex. */
  readonly sha256: string;
}

/** One part after the other, each with its checksums: the service refuses what it did not receive so. */
async function sendParts(
  calls: S3Calls,
  key: string,
  uploadId: string,
  source: UploadSource,
  signal: AbortSignal,
): Promise<Sent> {
  const size = partBytes(source.bytes);
  if (size === null) {
    throw new ConnectorError('refused', 'The backup is too large for one object: at most 640 GB.');
  }
  const part = Buffer.alloc(Math.min(size, source.bytes));
  const [md5s, sha256] = [createHash('md5'), createHash('sha256')];
  const etags: string[] = [];
  for (let at = 0; at < source.bytes; at += size) {
    const bytes = part.subarray(0, Math.min(size, source.bytes - at));
    await fill(source, bytes, at);
    sha256.update(bytes);
    const md5 = md5Of(bytes);
    md5s.update(md5);
    const query = { partNumber: String(etags.length + 1), uploadId };
    const call: S3Call = { method: 'PUT', operation: STORE, key, query, ...contentOf(bytes, md5) };
    const { etag } = (await calls.call(call, signal)).headers;
    if (typeof etag !== 'string' || etag === '')
      throw notS3(calls.bucket, 'without the entity tag of a part');
    etags.push(etag);
  }
  return { etags, etag: `"${hex(md5s)}-${etags.length}"`, sha256: hex(sha256) };
}

/** Bytes of each part but the last; null when there would be too many. */
export function partBytes(total: number): number | null {
  const needed = Math.ceil(total / MOST_PARTS / MIB) * MIB;
  return needed > MOST_PART ? null : Math.max(LEAST_PART, needed);
}

async function fill(source: UploadSource, target: Buffer, at: number): Promise<void> {
  for (let filled = 0; filled < target.length; ) {
    const read = await source.read(target.subarray(filled), at + filled);
    if (read === 0) throw new Error('What is uploaded has become shorter.');
    filled += read;
  }
}

async function complete(
  calls: S3Calls,
  key: string,
  uploadId: string,
  { etags }: Sent,
  signal: AbortSignal,
): Promise<void> {
  const parts = etags.map(
    (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const text = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`;
  const call: S3Call = {
    method: 'POST',
    operation: STORE,
    key,
    query: { uploadId },
    ...contentOf(Buffer.from(text)),
    longest: LONGEST_COMPLETION,
    mayFailLate: true,
    // There is no such upload where an earlier attempt completed it and the answer was lost: what is there is proved next.
    alsoAnswers: [404],
  };
  await calls.call(call, signal);
}

/**
 * Compares size and hash of the object with what was sent. Where its entity tag is not made of MD5s, it is read back whole.
 */
async function prove(
  bucket: Bucket,
  store: ObjectStore,
  key: string,
  bytes: number,
  sent: Sent,
  signal: AbortSignal,
): Promise<void> {
  const state = await store.stateOf(key, signal);
  if (state !== null && state.bytes === bytes) {
    if (state.etag === sent.etag) return;
    if ((await hashOf(store, key, state, signal)) === sent.sha256) return;
  }
  throw new ConnectorError(
    'service',
    `What is stored in ${placeOf(bucket)} is not what was sent, although it was accepted. Check that service, or choose another one.`,
  );
}

async function hashOf(
  store: ObjectStore,
  key: string,
  state: ObjectState,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < state.bytes; at += MOST_BYTES) {
    const bytes = Math.min(MOST_BYTES, state.bytes - at);
    hash.update(await store.read(key, state, { at, bytes }, signal));
  }
  return hex(hash);
}

async function abort(calls: S3Calls, key: string, uploadId: string, signal: AbortSignal): Promise<void> {
  const call: S3Call = { method: 'DELETE', operation: ABORT, key, query: { uploadId }, alsoAnswers: [404] };
  await calls.call(call, signal);
}

async function list(calls: S3Calls, prefix: string, signal: AbortSignal): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  const pages = pagesOf(calls, LIST, { 'list-type': '2', prefix }, 'ListBucketResult', signal, (page) => ({
    'continuation-token': textAt(page, 'NextContinuationToken'),
  }));
  for await (const page of pages) {
    for (const each of childrenOf(page, 'Contents')) {
      const size = textAt(each, 'Size');
      if (!/^\d{1,16}$/.test(size)) throw notS3(calls.bucket, 'with an unreadable list of objects');
      found.push({ key: keyOf(page, each), bytes: Number(size) });
    }
  }
  return found;
}

interface UploadUnderWay {
  readonly key: string;
  readonly id: string;
  readonly begunAt: Instant;
}

async function uploadsUnderWay(
  calls: S3Calls,
  prefix: string,
  signal: AbortSignal,
): Promise<UploadUnderWay[]> {
  const found: UploadUnderWay[] = [];
  const query = { uploads: '', prefix };
  const pages = pagesOf(calls, LIST_UPLOADS, query, 'ListMultipartUploadsResult', signal, (page) => ({
    'key-marker': decoded(page, textAt(page, 'NextKeyMarker')),
    'upload-id-marker': textAt(page, 'NextUploadIdMarker'),
  }));
  for await (const page of pages) {
    for (const each of childrenOf(page, 'Upload')) {
      const [id, begun] = [textAt(each, 'UploadId'), Date.parse(textAt(each, 'Initiated'))];
      if (id !== '' && !Number.isNaN(begun))
        found.push({ key: keyOf(page, each), id, begunAt: instant(begun) });
    }
  }
  return found;
}

/** All pages of a list of what is directly under a prefix. A list that breaks off is an error, never taken for whole. */
async function* pagesOf(
  calls: S3Calls,
  operation: S3Operation,
  query: Readonly<Record<string, string>>,
  name: string,
  signal: AbortSignal,
  nextOf: (page: XmlElement) => Readonly<Record<string, string>>,
): AsyncGenerator<XmlElement> {
  let next: Readonly<Record<string, string>> = {};
  for (let number = 0; number < MOST_PAGES; number += 1) {
    const all = { ...query, delimiter: '/', 'encoding-type': 'url', 'max-keys': '1000', ...next };
    const page = elementIn(
      calls,
      await calls.call({ method: 'GET', operation, key: '', query: all }, signal),
      name,
    );
    yield page;
    const isCut = textAt(page, 'IsTruncated');
    if (isCut === 'false') return;
    const [before, after] = [JSON.stringify(next), nextOf(page)];
    const [first = ''] = Object.values(after);
    if (isCut !== 'true' || first === '' || JSON.stringify(after) === before) break;
    next = after;
  }
  throw notS3(calls.bucket, 'with a list that does not end');
}

function elementIn({ bucket }: S3Calls, { body }: S3Answer, name: string): XmlElement {
  try {
    const [element] = elementsOf(body.toString('utf8'), name);
    if (element !== undefined) return element;
  } catch {
    // The same as another document: a page for people, for instance.
  }
  throw notS3(bucket, `with something else than ${name}`);
}

function keyOf(page: XmlElement, element: XmlElement): string {
  return decoded(page, textAt(element, 'Key'));
}

/** A key in a list, which most services write as in an address, because XML cannot contain every key. */
function decoded(page: XmlElement, text: string): string {
  if (textAt(page, 'EncodingType') !== 'url') return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A key of another program, which is none of our names either way.
    return text;
  }
}

function notS3({ endpoint }: Bucket, how: string): ConnectorError {
  return new ConnectorError(
    'unreadable',
    `${endpoint} answers ${how}. Check that it is the address of the S3 API, not of a page for people.`,
  );
}

function contentOf(bytes: Buffer, md5 = md5Of(bytes)): Pick<S3Call, 'content' | 'headers'> {
  return {
    content: { bytes, sha256: hex(createHash('sha256').update(bytes)) },
    // The one checksum that every service knows, and that a bucket with object lock asks for.
    headers: { 'content-md5': md5.toString('base64'), 'content-type': 'application/octet-stream' },
  };
}

function md5Of(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest();
}

function hex(hash: Hash): string {
  return hash.digest('hex');
}
