import { z } from 'zod';

/** The claims in an API key. */
const Claims = z.looseObject({
  /** Seconds since 1970. */
  exp: z.int(),
  access: z.enum(['read', 'all']),
});
type Claims = z.output<typeof Claims>;

/** A fixed placeholder: the sandbox cannot compute a real signature. */
const SIGNATURE = 'sandbox-michaels-key';

/** An API key in three parts, as the developer portal issues it. */
export function michaelsKey(claims: Claims): string {
  return [partOf({ alg: 'none', typ: 'JWT' }), partOf(claims), SIGNATURE].join('.');
}

function partOf(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Null for a key that the sandbox did not issue. */
export function claimsIn(key: string | undefined): Claims | null {
  const [, claims = '', signature] = key?.split('.') ?? [];
  if (signature !== SIGNATURE) return null;
  try {
    return Claims.parse(JSON.parse(Buffer.from(claims, 'base64url').toString()));
  } catch {
    return null;
  }
}
