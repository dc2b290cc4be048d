import type { FoundApiToken } from '#db/queries/identity/api-tokens.ts';
import type { ApiScope } from '#domain/api-scopes.ts';
import { AppError } from '#usecases/app-error.ts';

/**
 * Requires the scope of a call.
 * @param scope null for calls that no token may make
 * @throws AppError not_for_tokens, scope_missing
 */
export function requireScope({ scopes }: Pick<FoundApiToken, 'scopes'>, scope: ApiScope | null): void {
  if (scope === null) throw notForTokens();
  if (scopes.includes(scope)) return;
  throw new AppError('scope_missing', `This call needs an API token with the scope "${scope}".`);
}

/** The refusal of what only a logged-in user may do. */
export function notForTokens(): AppError {
  return new AppError(
    'not_for_tokens',
    'API tokens cannot do this. Log in with a browser, where your password can be asked for.',
  );
}
