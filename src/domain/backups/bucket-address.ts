/** Where the schedule puts backups: a folder of the server, or a bucket of an S3-compatible service. */
export const BACKUP_DESTINATIONS = ['folder', 's3'] as const;

/** A place in an S3-compatible service, without the service: "s3://backups/shop". */
export interface BucketPlace {
  readonly bucket: string;
  /** Of the keys: "" or "shop/2026/", ending with a slash. */
  readonly prefix: string;
}

const SCHEME = 's3://';
/** What Amazon allows for new buckets; other services allow no more. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that no service and no signature writes differently. */
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;
const MAX_PREFIX = 500;

/** Whether a text means a place in a bucket rather than a path. */
export function isBucketText(text: string): boolean {
  return text.startsWith(SCHEME);
}

/** Reads "s3://bucket/prefix"; null for anything else. */
export function parseBucketPlace(text: string): BucketPlace | null {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)(?:\/(?!\/)(.*))?$/s.exec(text) ?? [];
  const prefix = asPrefix(rest);
  return isBucketName(bucket) && prefix !== null ? { bucket, prefix } : null;
}

/** "s3://backups/shop/" */
export function bucketText({ bucket, prefix }: BucketPlace): string {
  return `${SCHEME}${bucket}/${prefix}`;
}

/** Whether it can be the name of a bucket: also part of a host name. */
export function isBucketName(text: string): boolean {
  return BUCKET.test(text) && !/\.\.|\.-|-\./.test(text);
}

/** A prefix as keys begin with it, from what was typed: without a slash at its start, with one at its end; null if it cannot be one. */
export function asPrefix(text: string): string | null {
  const bare = text.replace(/^\//, '').replace(/\/$/, '');
  const prefix = bare === '' ? '' : `${bare}/`;
  return prefix.length <= MAX_PREFIX && PREFIX.test(prefix) ? prefix : null;
}

export function isRegion(text: string): boolean {
  return /^[a-z0-9-]{1,40}$/.test(text);
}

/** The address of Amazon's service in a region. */
export function amazonEndpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

const ENDPOINT = /^(https?):\/\/([a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::([1-9]\d{0,4}))?\/?$/;

/** The origin of an http address that has nothing more than that; null for others. */
export function asEndpoint(text: string): string | null {
  const address = text.trim().toLowerCase();
  return ENDPOINT.test(address) ? address.replace(/\/$/, '') : null;
}

/** Whether what is sent there can be read by others on the way: neither encrypted nor on this machine. */
export function isReadableOnTheWay(endpoint: string): boolean {
  const [, scheme, host = ''] = ENDPOINT.exec(endpoint) ?? [];
  return scheme !== 'https' && !/^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(host);
}
