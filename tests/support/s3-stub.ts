import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { receivedBody } from './received-body.ts';
import { parseAuthorization, type SignedRequest, signatureOf } from './s3-signature.ts';

/*
 * An S3 service as the Amazon S3 API reference describes it, as far as backups need one. It knows nothing of the client.
 */

const MIN_PART = 5 * 1_024 * 1_024;
const MAX_SKEW = 15 * 60_000;

/** A call as the stub understood it. */
export interface S3Asked extends SignedRequest {
  /** "" for the bucket itself. */
  readonly key: string;
  readonly body: Buffer;
  readonly of: ReadonlyMap<string, string>;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** What happens to a call instead of its answer: a reply, a broken connection, or nothing for ever. */
export type S3Fault = Reply | 'break' | 'silence';

interface Upload {
  readonly key: string;
  readonly begunAt: number;
  readonly parts: Map<number, { readonly bytes: Buffer; readonly etag: string }>;
}

export interface S3Stub {
  readonly url: string;
  readonly port: number;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly objects: Map<string, { bytes: Buffer; etag: string }>;
  readonly uploads: Map<string, Upload>;
  /** The calls that were signed well, in order. */
  readonly asked: S3Asked[];
  /** Milliseconds since 1970. */
  now: () => number;
  /** Looks at every well signed call first. `before`: as if it never arrived; `after`: it was done, and the answer is lost. */
  fault: (requested: S3Asked) => { readonly when: 'before' | 'after'; readonly fault: S3Fault } | null;
  /** Keys a page. */
  pageSize: number;
  /** The entity tags of services that encrypt by a key of the customer are no MD5s. */
  hasOpaqueTags: boolean;
  close(): Promise<void>;
}

/** An error as the service words it. */
export function s3Error(status: number, code: string, more: Record<string, string> = {}): Reply {
  const extra = Object.entries(more).map(([name, value]) => `<${name}>${value}</${name}>`);
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No words.</Message>${extra.join('')}<RequestId>1</RequestId></Error>`,
  };
}

export async function startS3Stub(now: () => number): Promise<S3Stub> {
  const server = createServer(async (request, response) => {
    const body = await receivedBody(request);
    if (body === null) return undefined;
    const requested = askedOf(stub, request, body);
    const refusal = refusalOf(stub, requested);
    if (refusal !== null) return send(requested, refusal, response);
    stub.asked.push(requested);
    const found = stub.fault(requested);
    const answer = found?.when === 'before' ? null : answerOf(stub, requested);
    const reply = found?.fault ?? answer;
    if (reply === 'silence' || reply === null) return undefined;
    if (reply === 'break') return void response.destroy();
    return send(requested, reply, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stub: S3Stub = {
    url: `http://127.0.0.1:${port}`,
    port,
    bucket: 'backups',
    region: 'eu-test-1',
    accessKeyId: 'AKIAEXAMPLE',
    secretAccessKey: 'secret/with+signs/EXAMPLEKEY',
    objects: new Map(),
    uploads: new Map(),
    asked: [],
    now,
    fault: () => null,
    pageSize: 1_000,
    hasOpaqueTags: false,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return stub;
}

function askedOf(stub: S3Stub, request: IncomingMessage, body: Buffer): S3Asked {
  const [rawPath = '', rawQuery = ''] = (request.url ?? '').split('?');
  const query = rawQuery
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', value = ''] = part.split('=').map(decodeURIComponent);
      return [name, value] as const;
    });
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const path = decodeURIComponent(rawPath);
  const isVirtual = headers.host?.startsWith(`${stub.bucket}.`) === true;
  const own = `/${stub.bucket}`;
  const key = isVirtual
    ? path.slice(1)
    : path === own
      ? ''
      : path.startsWith(`${own}/`)
        ? path.slice(own.length + 1)
        : '\0';
  const { method = '' } = request;
  return { method, path, query, headers, key, body, of: new Map(query) };
}

/** Who asks, when, from which region, and whether all bytes arrived. */
function refusalOf(stub: S3Stub, requested: S3Asked): Reply | null {
  const { headers } = requested;
  const authorization = parseAuthorization(headers.authorization ?? '');
  if (authorization === null) return s3Error(403, 'AccessDenied');
  if (authorization.accessKeyId !== stub.accessKeyId) return s3Error(403, 'InvalidAccessKeyId');
  const { region, service, day, signedHeaders } = authorization;
  const stamp = headers['x-amz-date'] ?? '';
  const date = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (service !== 's3' || !stamp.startsWith(day) || Number.isNaN(date))
    return s3Error(400, 'AuthorizationHeaderMalformed');
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (!mustBeSigned.every((name) => signedHeaders.includes(name))) return s3Error(403, 'AccessDenied');
  if (signatureOf(requested, authorization, stub.secretAccessKey) !== authorization.signature)
    return s3Error(403, 'SignatureDoesNotMatch');
  if (Math.abs(stub.now() - date) > MAX_SKEW) {
    const skewed = s3Error(403, 'RequestTimeTooSkewed');
    return { ...skewed, headers: { ...skewed.headers, date: new Date(stub.now()).toUTCString() } };
  }
  if (region !== stub.region) return s3Error(400, 'AuthorizationHeaderMalformed', { Region: stub.region });
  if (requested.key === '\0') return s3Error(404, 'NoSuchBucket');
  return damage(requested);
}

function damage({ headers, body }: S3Asked): Reply | null {
  const sha256 = headers['x-amz-content-sha256'];
  if (sha256 !== 'UNSIGNED-PAYLOAD' && sha256 !== createHash('sha256').update(body).digest('hex'))
    return s3Error(400, 'XAmzContentSHA256Mismatch');
  const md5 = headers['content-md5'];
  return md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64')
    ? s3Error(400, 'BadDigest')
    : null;
}

function answerOf(stub: S3Stub, requested: S3Asked): Reply {
  const { method, key, of } = requested;
  if (method === 'GET' && key === '' && of.get('list-type') === '2') return listObjects(stub, requested);
  if (method === 'GET' && key === '' && of.has('uploads')) return listUploads(stub, requested);
  if (method === 'POST' && of.has('uploads')) return startUpload(stub, requested);
  if (method === 'PUT' && of.has('uploadId')) return putPart(stub, requested);
  if (method === 'POST' && of.has('uploadId')) return complete(stub, requested);
  if (method === 'DELETE' && of.has('uploadId')) {
    return stub.uploads.delete(of.get('uploadId') ?? '') ? { status: 204 } : s3Error(404, 'NoSuchUpload');
  }
  if (method === 'PUT') {
    const etag = tagOf(stub, md5Of(requested.body).toString('hex'));
    stub.objects.set(key, { bytes: requested.body, etag });
    return { status: 200, headers: { etag } };
  }
  if (method === 'DELETE') {
    stub.objects.delete(key);
    return { status: 204 };
  }
  if (method === 'GET' || method === 'HEAD') return getObject(stub, requested);
  return s3Error(405, 'MethodNotAllowed');
}

function getObject(stub: S3Stub, { key, headers }: S3Asked): Reply {
  const object = stub.objects.get(key);
  if (object === undefined) return s3Error(404, 'NoSuchKey');
  const { bytes, etag } = object;
  const wanted = headers['if-match'];
  if (wanted !== undefined && wanted !== etag) return s3Error(412, 'PreconditionFailed');
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (first === undefined) return { status: 200, headers: { etag }, body: bytes };
  if (Number(first) >= bytes.length) return s3Error(416, 'InvalidRange');
  const part = bytes.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
  return { status: 206, headers: { etag, 'content-range': range }, body: part };
}

function startUpload(stub: S3Stub, { key }: S3Asked): Reply {
  const id = randomBytes(8).toString('base64');
  stub.uploads.set(id, { key, begunAt: stub.now(), parts: new Map() });
  return xml(
    'InitiateMultipartUploadResult',
    `<Bucket>${stub.bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId>`,
  );
}

function putPart(stub: S3Stub, { of, body }: S3Asked): Reply {
  const upload = stub.uploads.get(of.get('uploadId') ?? '');
  const number = Number(of.get('partNumber'));
  if (upload === undefined) return s3Error(404, 'NoSuchUpload');
  if (!(number >= 1 && number <= 10_000)) return s3Error(400, 'InvalidArgument');
  const etag = tagOf(stub, md5Of(body).toString('hex'));
  upload.parts.set(number, { bytes: Buffer.from(body), etag });
  return { status: 200, headers: { etag } };
}

function complete(stub: S3Stub, { of, body }: S3Asked): Reply {
  const id = of.get('uploadId') ?? '';
  const upload = stub.uploads.get(id);
  if (upload === undefined) return s3Error(404, 'NoSuchUpload');
  const named = [
    ...body.toString().matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag><\/Part>/g),
  ];
  if (named.length === 0) return s3Error(400, 'MalformedXML');
  const parts = named.map(([, number, etag]) => ({
    number: Number(number),
    etag,
    part: upload.parts.get(Number(number)),
  }));
  if (parts.some(({ number }, at) => at > 0 && number <= (parts[at - 1]?.number ?? 0)))
    return s3Error(400, 'InvalidPartOrder');
  const bytes: Buffer[] = [];
  for (const { etag, part } of parts) {
    if (part === undefined || part.etag !== etag) return s3Error(400, 'InvalidPart');
    bytes.push(part.bytes);
  }
  if (bytes.slice(0, -1).some(({ length }) => length < MIN_PART)) return s3Error(400, 'EntityTooSmall');
  const md5 = md5Of(Buffer.concat(bytes.map(md5Of))).toString('hex');
  const etag = tagOf(stub, `${md5}-${bytes.length}`);
  stub.objects.set(upload.key, { bytes: Buffer.concat(bytes), etag });
  stub.uploads.delete(id);
  return xml('CompleteMultipartUploadResult', `<Key>${upload.key}</Key><ETag>${etag}</ETag>`);
}

function listObjects(stub: S3Stub, { of }: S3Asked): Reply {
  const prefix = of.get('prefix') ?? '';
  const after = Buffer.from(of.get('continuation-token') ?? '', 'base64').toString();
  const most = Math.min(stub.pageSize, Number(of.get('max-keys') ?? 1_000));
  const all = [...stub.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const plain = all.filter((key) => of.get('delimiter') !== '/' || !key.slice(prefix.length).includes('/'));
  const rest = plain.filter((key) => key > after);
  const page = rest.slice(0, most);
  const isCut = rest.length > page.length;
  const contents = page.map(
    (key) =>
      `<Contents><Key>${keyText(of, key)}</Key><Size>${stub.objects.get(key)?.bytes.length}</Size></Contents>`,
  );
  const next = isCut
    ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? '').toString('base64')}</NextContinuationToken>`
    : '';
  return xml(
    'ListBucketResult',
    `${encodingOf(of)}<IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}`,
  );
}

function listUploads(stub: S3Stub, { of }: S3Asked): Reply {
  const prefix = of.get('prefix') ?? '';
  const [afterKey, afterId] = [of.get('key-marker') ?? '', of.get('upload-id-marker') ?? ''];
  const all = [...stub.uploads]
    .map(([id, upload]) => ({ id, ...upload }))
    .filter(({ key }) => key.startsWith(prefix))
    .sort((a, b) => (a.key < b.key || (a.key === b.key && a.id < b.id) ? -1 : 1));
  const rest = all.filter(({ key, id }) => key > afterKey || (key === afterKey && id > afterId));
  const page = rest.slice(0, stub.pageSize);
  const isCut = rest.length > page.length;
  const uploads = page.map(
    ({ key, id, begunAt }) =>
      `<Upload><Key>${keyText(of, key)}</Key><UploadId>${id}</UploadId><Initiated>${new Date(begunAt).toISOString()}</Initiated></Upload>`,
  );
  const last = page.at(-1);
  const next = isCut
    ? `<NextKeyMarker>${keyText(of, last?.key ?? '')}</NextKeyMarker><NextUploadIdMarker>${last?.id}</NextUploadIdMarker>`
    : '';
  return xml(
    'ListMultipartUploadsResult',
    `${encodingOf(of)}<IsTruncated>${isCut}</IsTruncated>${next}${uploads.join('')}`,
  );
}

function keyText(of: ReadonlyMap<string, string>, key: string): string {
  return of.get('encoding-type') === 'url' ? encodeURIComponent(key).replaceAll('%20', '+') : key;
}

function encodingOf(of: ReadonlyMap<string, string>): string {
  return of.get('encoding-type') === 'url' ? '<EncodingType>url</EncodingType>' : '';
}

function xml(name: string, content: string): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`,
  };
}

function tagOf({ hasOpaqueTags }: S3Stub, hash: string): string {
  return hasOpaqueTags ? `"${createHash('md5').update(`opaque ${hash}`).digest('hex')}"` : `"${hash}"`;
}

function md5Of(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest();
}

/** A HEAD has the headers of a GET, and no body. */
function send({ method }: S3Asked, { status, headers, body = '' }: Reply, response: ServerResponse): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(method === 'HEAD' ? undefined : body);
}
