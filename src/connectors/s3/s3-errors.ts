import { ConnectorError, type ConnectorFault } from '#connectors/connector-error.ts';
import type { CallFailure } from '#connectors/http/call-error.ts';
import { RefusedAddressError } from '#connectors/http/guarded-agent.ts';
import type { Bucket } from '#connectors/object-store.ts';
import { elementsOf, textAt } from '#connectors/xml.ts';

/*
 * The codes are those of the page "Error responses" of the Amazon S3 API reference; a few more are MinIO's. Of a response
 * only codes and the name of a region are shown: its texts may repeat the request.
 */

/** A refusal as the service sent it. */
export interface S3Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** What a call was to do: for the words, and for the name of the right in the policy of a key. */
export interface S3Operation {
  /** "store objects" */
  readonly verb: string;
  /** "s3:PutObject" */
  readonly right: string;
}

const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/** With a status that does not say so, or after bytes were changed on the way. */
const TRANSIENT_CODES = new Set([
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'OperationAborted',
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'IncompleteBody',
]);
const KEY_CODES = /^(InvalidAccessKeyId|InvalidAccessKey|NoSuchAccessKey|UnauthorizedAccess)$/;
const SESSION_CODES = /^(ExpiredToken|InvalidToken|TokenRefreshRequired)$/;
const FULL_CODES = /^(QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|EntityTooLarge)$/;
const ELSEWHERE_CODES = /^(PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed)$/;
const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;
const NO_TLS_CODES = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);

/** "the bucket backups at https://minio.example.com" */
export function placeOf({ name, endpoint }: Bucket): string {
  return `the bucket ${name} at ${endpoint}`;
}

/** The error of a refusal. @param now of this machine, to compare with the clock of the service */
export function refusalOf(
  bucket: Bucket,
  operation: S3Operation,
  refusal: S3Refusal,
  now: number,
): CallFailure {
  const { status, headers } = refusal;
  const { code, region } = reported(refusal);
  const shown = code === null ? String(status) : `${status} ${code}`;
  const [problem, sentence] = meaningOf(bucket, operation, { ...refusal, code, region, shown }, now);
  const after = headers['retry-after'];
  return {
    error: new ConnectorError(problem, sentence, { status, code }),
    response: {
      status,
      retryAfter: typeof after === 'string' ? after : null,
      words: null,
      dayLimit: null,
    },
    isTransient: TRANSIENT_STATUSES.has(status) || TRANSIENT_CODES.has(code ?? ''),
  };
}

interface Told extends S3Refusal {
  readonly code: string | null;
  readonly region: string | null;
  /** "403 AccessDenied" */
  readonly shown: string;
}

function meaningOf(
  bucket: Bucket,
  { verb, right }: S3Operation,
  refusal: Told,
  now: number,
): readonly [ConnectorFault, string] {
  const { status, shown, region } = refusal;
  const code = refusal.code ?? '';
  const place = placeOf(bucket);
  if (KEY_CODES.test(code) || status === 401) {
    return [
      'key',
      `The access key is not known to ${bucket.endpoint} (${shown}). Check it, and the endpoint.`,
    ];
  }
  if (code === 'SignatureDoesNotMatch') {
    return [
      'key',
      `The secret key does not fit the access key of ${place} (${shown}). Copy both again. If they are right, check the region and whether a proxy changes the host name.`,
    ];
  }
  if (SESSION_CODES.test(code)) {
    return ['key', `The session token for ${place} is not valid any longer (${shown}). Get a new one.`];
  }
  if (code === 'RequestTimeTooSkewed') return ['refused', skewed(bucket, refusal, now)];
  if (ELSEWHERE_CODES.test(code) || (region !== null && region !== bucket.region && status !== 403)) {
    return ['refused', elsewhere(bucket, shown, region)];
  }
  if (status >= 300 && status < 400) {
    return [
      'refused',
      `${bucket.endpoint} leads to another address (${shown}). Enter the address of the service itself, with https where it has that.`,
    ];
  }
  if (FULL_CODES.test(code) || status === 507) {
    return ['refused', `There is no space left in ${place} (${shown}). Free some, or raise its quota.`];
  }
  if (status === 403) {
    return [
      'permission',
      `The access key may not ${verb} in ${place} (${shown}). Allow ${right} in its policy.`,
    ];
  }
  if (code === 'NoSuchBucket' || code === 'InvalidBucketName') {
    return [
      'refused',
      `There is no bucket ${bucket.name} at ${bucket.endpoint} (${shown}). Create it, or correct its name or the endpoint.`,
    ];
  }
  if (code === 'PreconditionFailed' || status === 412) {
    return ['refused', `An object in ${place} was replaced while it was read (${shown}). Start again.`];
  }
  if (code === 'BadDigest' || code === 'XAmzContentSHA256Mismatch') {
    return [
      'service',
      `Not all bytes arrived in ${place} as they were sent (${shown}). Check the connection and what is between.`,
    ];
  }
  if (status === 429 || code === 'SlowDown') {
    return ['busy', `${bucket.endpoint} is rate limiting requests (${shown}). Try again in a few minutes.`];
  }
  if (status >= 500 || TRANSIENT_CODES.has(code)) {
    return ['service', `${bucket.endpoint} answered with an error (${shown}). Try again in a few minutes.`];
  }
  return ['refused', `${bucket.endpoint} refused to ${verb} in ${place} (${shown}).`];
}

function skewed({ endpoint }: Bucket, { headers, shown }: Told, now: number): string {
  const date = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN;
  const minutes = Math.round(Math.abs(now - date) / 60_000);
  const difference = Number.isNaN(date)
    ? 'differs from'
    : `is ${minutes.toLocaleString('en-US')} min ${now > date ? 'ahead of' : 'behind'}`;
  return `The clock of this machine ${difference} that of ${endpoint} (${shown}). Turn on time synchronization.`;
}

function elsewhere(
  { name, endpoint, region: entered }: Bucket,
  shown: string,
  region: string | null,
): string {
  const fix =
    region === null
      ? 'Correct the region and the endpoint.'
      : `Enter the region ${region}, and the endpoint of that region.`;
  return `The bucket ${name} is not in the region ${entered} at ${endpoint} (${shown}). ${fix}`;
}

/** The code, and the region where the bucket is, as far as the response says so. */
function reported({ headers, body }: S3Refusal): { code: string | null; region: string | null } {
  const error = errorIn(body);
  const inHeader = headers['x-amz-bucket-region'];
  const region = error?.region || (typeof inHeader === 'string' ? inHeader : '');
  return {
    code: error !== null && /^[A-Za-z0-9.]{1,60}$/.test(error.code) ? error.code : null,
    region: /^[a-z0-9-]{1,40}$/.test(region) ? region : null,
  };
}

/** The error in a body, which a response of status 200 may have too; null without one. */
export function errorIn(body: Buffer): { readonly code: string; readonly region: string } | null {
  const text = body.toString('utf8');
  if (!text.includes('<Error')) return null;
  try {
    const [error] = elementsOf(text, 'Error');
    return error === undefined ? null : { code: textAt(error, 'Code'), region: textAt(error, 'Region') };
  } catch {
    return null;
  }
}

/** The error of a call without a response. @param isLate whether our own time limit ended it */
export function brokenOf(bucket: Bucket, cause: unknown, isLate: boolean): CallFailure {
  const [problem, sentence, isTransient] = reasonOf(bucket, cause, isLate);
  return {
    error: cause instanceof ConnectorError ? cause : new ConnectorError(problem, sentence),
    response: { status: null, retryAfter: null, words: null, dayLimit: null },
    isTransient,
  };
}

function reasonOf(
  bucket: Bucket,
  cause: unknown,
  isLate: boolean,
): readonly [ConnectorFault, string, boolean] {
  const { endpoint } = bucket;
  if (cause instanceof ConnectorError) return [cause.fault, cause.message, false];
  if (cause instanceof RefusedAddressError) {
    return [
      'network',
      `${endpoint} is at a link-local or reserved address, which is never called. Enter another address.`,
      false,
    ];
  }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const shown = code === '' ? '' : ` (${code})`;
  if (CERTIFICATE_CODES.test(code)) {
    return [
      'network',
      `The certificate of ${endpoint} is not valid here${shown}. Renew it, or let NODE_EXTRA_CA_CERTS name the file of the authority that made it.`,
      false,
    ];
  }
  if (NO_TLS_CODES.has(code)) {
    return [
      'network',
      `${endpoint} does not speak TLS${shown}. Correct its port, or begin it with http.`,
      false,
    ];
  }
  if (isLate) return ['time', `${endpoint} took too long to answer. Check the connection.`, true];
  const hint =
    code === 'ENOTFOUND' && !bucket.isPathStyle
      ? ' If its buckets have no host names of their own, use the path style.'
      : '';
  return [
    'network',
    `${endpoint} cannot be reached, or breaks off${shown}. Check the endpoint and this machine's connection.${hint}`,
    true,
  ];
}
