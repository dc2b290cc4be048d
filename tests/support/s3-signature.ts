import { createHash, createHmac } from 'node:crypto';

/*
 * Signature Version 4 as "Authenticating Requests: Using the Authorization Header" of the Amazon S3 API reference describes
 * it, for the stub alone: the product signs by a library, so that a mistake of one is not hidden by the other.
 */

/** A request as it arrived. */
export interface SignedRequest {
  readonly method: string;
  /** Decoded. */
  readonly path: string;
  /** Decoded, in any order. */
  readonly query: readonly (readonly [string, string])[];
  /** By lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The parts of an Authorization header. */
export interface Authorization {
  readonly accessKeyId: string;
  /** "20130524" */
  readonly day: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

export function parseAuthorization(header: string): Authorization | null {
  const [, id = '', day = '', region = '', service = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? [];
  if (signature === '') return null;
  return { accessKeyId: id, day, region, service, signedHeaders: names.split(';'), signature };
}

/** The signature that a request must have, in hex. */
export function signatureOf(
  request: SignedRequest,
  { day, region, service, signedHeaders }: Omit<Authorization, 'accessKeyId' | 'signature'>,
  secretKey: string,
): string {
  const header = (name: string): string => (request.headers[name] ?? '').trim().replaceAll(/ +/g, ' ');
  const query = request.query
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const canonical = [
    request.method,
    request.path.split('/').map(encoded).join('/'),
    query,
    ...signedHeaders.map((name) => `${name}:${header(name)}`),
    '',
    signedHeaders.join(';'),
    header('x-amz-content-sha256'),
  ].join('\n');
  const scope = [day, region, service, 'aws4_request'];
  const hash = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope.join('/'), hash].join('\n');
  const key = scope.reduce<Buffer | string>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${secretKey}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex');
}

/** Every byte but those of letters, digits and -._~ as %XX. */
function encoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[A-Za-z0-9._~-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
