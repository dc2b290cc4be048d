import { PASSWORD_MIN } from '#contract/session.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const PRODUCT_NAME = 'pricewright';
/** An email name of one or two letters is part of too many good passwords to be forbidden. */
const SHORTEST_OWN_NAME = 3;

/** Undoes the substitutions that attackers try first: P@ssw0rd is password. */
function withoutSwaps(password: string): string {
  return password.replaceAll('@', 'a').replaceAll('0', 'o').replaceAll('$', 's').replaceAll('3', 'e');
}

/**
 * Why this password is too easy to guess, or null. The contract checks the length; there are no rules about kinds of
 * characters, since they only lead to `Password1!`.
 */
export function weakPasswordReason(password: string, email: string): string | null {
  const folded = password.toLowerCase();
  if (COMMON_PASSWORDS.has(folded) || COMMON_PASSWORDS.has(withoutSwaps(folded))) {
    return 'This password is too common. Choose another.';
  }
  const ownName = email.toLowerCase().split('@')[0] ?? '';
  for (const word of [PRODUCT_NAME, ownName]) {
    // The word may be part of a password, but the remainder must be long enough.
    if (
      word.length >= SHORTEST_OWN_NAME &&
      folded.replaceAll(word, '').length < PASSWORD_MIN &&
      folded.includes(word)
    ) {
      return 'The password must not contain your email address or the name of this product.';
    }
  }
  return null;
}
