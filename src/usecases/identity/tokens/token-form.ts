import { newToken } from '#usecases/identity/accounts/secret-token.ts';

/** Every API token starts with this, so that programs which look for leaked secrets recognize one. */
const PREFIX = 'pwt_';
const FORM = /^pwt_[\w-]{43}$/;

/** A new API token of 256 bits. Store only its hash. */
export function newApiToken(): string {
  return `${PREFIX}${newToken()}`;
}

/** Whether a text can be an API token; any other one needs no query. */
export function isTokenForm(text: string): boolean {
  return FORM.test(text);
}
