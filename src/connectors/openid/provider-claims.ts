import { z } from 'zod';
import type { ProviderClaims } from '#connectors/identity-provider.ts';

const LONGEST_GROUP = 500;
/** A person in more groups than that is not read: most providers stop at 200. */
const MOST_GROUPS = 2_000;

const Names = z.array(z.string().min(1).max(LONGEST_GROUP)).max(MOST_GROUPS);

/** Text that can be stored and shown on one line. */
const Line = z.string().regex(/^\P{Cc}*$/u);

/** Claims of an ID token whose signature was checked. Members that are not as specified count as missing. */
const Claims = z.object({
  iss: Line.min(1).max(500),
  sub: Line.regex(/\S/).max(255),
  email: z.email().max(254).nullable().catch(null).default(null),
  email_verified: z.unknown(),
  name: Line.trim().min(1).max(200).nullable().catch(null).default(null),
  amr: z.array(z.string().max(100)).max(50).catch([]).default([]),
  acr: z.string().max(200).nullable().catch(null).default(null),
  auth_time: z.number().nonnegative().nullable().catch(null).default(null),
});

/** The groups in a claim; one group may be plain text. Null without the claim, or with another form. */
function groupsIn(claims: Readonly<Record<string, unknown>>, claim: string): readonly string[] | null {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const read = Names.safeParse(typeof value === 'string' ? [value] : value);
  return read.success ? read.data : null;
}

/**
 * Whether the user info is worth a call: the token does not say all that a login may need.
 * @param groupsClaim null where groups are not needed
 */
export function isSilent(token: Readonly<Record<string, unknown>>, groupsClaim: string | null): boolean {
  return token.email === undefined || (groupsClaim !== null && token[groupsClaim] === undefined);
}

/**
 * @param info the user info of the same subject, for what the token does not contain; never for how the person logged in
 * @returns null when issuer or subject cannot be stored
 */
export function readClaims(
  token: Readonly<Record<string, unknown>>,
  info: Readonly<Record<string, unknown>>,
  groupsClaim: string | null,
): ProviderClaims | null {
  // An address and whether it is verified come from one place.
  const mail = token.email === undefined ? info : token;
  const read = Claims.safeParse({
    iss: token.iss,
    sub: token.sub,
    email: mail.email,
    email_verified: mail.email_verified,
    name: token.name ?? info.name,
    amr: token.amr,
    acr: token.acr,
    auth_time: token.auth_time,
  });
  if (!read.success) return null;
  const { iss, sub, email, email_verified: isVerified, name, amr, acr, auth_time: authTime } = read.data;
  return {
    issuer: iss,
    subject: sub,
    email,
    // Some providers send it as text.
    isEmailVerified: isVerified === true || isVerified === 'true',
    name,
    groups: groupsClaim === null ? null : (groupsIn(token, groupsClaim) ?? groupsIn(info, groupsClaim)),
    methods: amr,
    acr,
    authTime,
  };
}
