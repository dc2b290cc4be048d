import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '#contract/account.ts';
import type { NewRecoveryCode } from '#db/queries/identity/two-factor.ts';
import type { PasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';

/** Crockford's: no I, L, O and U, which are easily misread on paper. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP = 5;
const GROUPS = 4;
const LENGTH = GROUP * GROUPS;

/** A typed second factor. The handle of a recovery code finds it; the whole of it is hashed. */
export type TypedCode =
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'recovery'; readonly handle: string; readonly code: string };

/** A typed code without its spaces and dashes, not case-sensitive; null when it can be neither kind. */
export function readCode(typed: string): TypedCode | null {
  const plain = typed.replaceAll(/[\s\p{Pd}]/gu, '');
  if (/^\d{6}$/.test(plain)) return { kind: 'digits', digits: plain };
  const code = plain.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const isCode = code.length === LENGTH && [...code].every((letter) => ALPHABET.includes(letter));
  return isCode ? { kind: 'recovery', handle: code.slice(0, GROUP), code } : null;
}

/** A new set: the codes to show once, and how they are stored. 75 bits of each are only in its hash. */
export async function newRecoveryCodes(passwords: PasswordHasher): Promise<{
  readonly shown: string[];
  readonly stored: readonly NewRecoveryCode[];
}> {
  const codes = new Map<string, string>();
  while (codes.size < RECOVERY_CODES) {
    const code = randomCode();
    codes.set(code.slice(0, GROUP), code);
  }
  const stored: NewRecoveryCode[] = [];
  // One after another: ten at once would block the hasher for all logins.
  for (const [handle, code] of codes) stored.push({ handle, codeHash: await passwords.hash(code) });
  return { shown: [...codes.values()].map(inGroups), stored };
}

function randomCode(): string {
  // 256 is a multiple of 32, so all letters are equally likely.
  return [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

function inGroups(code: string): string {
  return Array.from({ length: GROUPS }, (_, n) => code.slice(n * GROUP, (n + 1) * GROUP)).join('-');
}
