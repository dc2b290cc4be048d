import type { Db } from '#db/client.ts';
import { isUnwritable } from '#db/error-code.ts';
import {
  countApiCall,
  type FoundApiToken,
  findApiTokenByHash,
  holdApiTokenByHash,
  nameTokenOf,
} from '#db/queries/identity/api-tokens.ts';
import { AppError } from '#usecases/app-error.ts';
import { type AccountDeps, sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { networkOf, recordAttempt } from '#usecases/identity/accounts/attempt-limits.ts';
import { tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import { isTokenForm } from './token-form.ts';

type TokenDeps = Pick<AccountDeps, 'db' | 'now' | 'sessionClock'>;

/**
 * The token that a call was sent with. A wrong one is counted per network, as wrong passwords are; it is looked up
 * before: of 2^256 tokens none is guessed, and a wrong one of a neighbor must not stop a program with a right one.
 * @param sent what follows `Bearer`
 * @throws AppError token_invalid, token_expired, too_many_requests after many wrong ones from one network
 */
export async function findApiToken(deps: TokenDeps, sent: string, address: string): Promise<FoundApiToken> {
  const token = isTokenForm(sent)
    ? await findApiTokenByHash(deps.db, tokenHash(sent), sessionNow(deps))
    : null;
  if (token === null) await recordAttempt(deps.db, 'api_token', { address }, deps.now());
  return usable(token);
}

/**
 * The same token again, inside a transaction, which prevents its end until it completes. Rows of the audit log that
 * the transaction writes have its name.
 * @throws AppError token_invalid, token_expired
 */
export async function holdApiToken(tx: Db, deps: TokenDeps, sent: string): Promise<FoundApiToken> {
  const token = usable(await holdApiTokenByHash(tx, tokenHash(sent), sessionNow(deps)));
  await nameTokenOf(tx, token.name);
  return token;
}

/** The same token again, as it is now. @throws AppError token_invalid, token_expired */
export async function refindApiToken(deps: TokenDeps, sent: string): Promise<FoundApiToken> {
  return usable(await findApiTokenByHash(deps.db, tokenHash(sent), sessionNow(deps)));
}

function usable(token: FoundApiToken | null): FoundApiToken {
  if (token === null) {
    throw new AppError('token_invalid', 'This API token is not known here. It may have been revoked.');
  }
  if (token.isExpired) {
    throw new AppError('token_expired', 'This API token has expired. Create a new one in Pricewright.');
  }
  return token;
}

/**
 * Counts a call toward the calls per minute of its token. Programs can still read while the disk is full.
 * @throws AppError too_many_requests
 */
export async function countCallOf(
  deps: TokenDeps,
  { id }: Pick<FoundApiToken, 'id'>,
  address: string,
): Promise<void> {
  const wait = await countApiCall(deps.db, id, networkOf(address), sessionNow(deps)).catch(
    (error: unknown) => {
      if (isUnwritable(error)) return 0;
      throw error;
    },
  );
  if (wait === 0) return;
  throw new AppError(
    'too_many_requests',
    `This API token has reached its limit of calls per minute. Try again in ${wait} s.`,
    { retryAfterSeconds: wait },
  );
}
