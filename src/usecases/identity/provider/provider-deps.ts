import type { IdentityProvider, ProviderClient } from '#connectors/identity-provider.ts';
import type { ProviderRow } from '#db/queries/identity/identity-provider.ts';
import { PROVIDER_SECRET_PLACE } from '#db/queries/identity/sealed-columns.ts';
import type { EmailDeps } from '#usecases/email/queued-email.ts';
import type { AccountDeps } from '#usecases/identity/accounts/account-deps.ts';
import { openSecret, SecretError } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';

/** What logins with the identity provider need from outside. */
export type ProviderDeps = AccountDeps &
  Pick<EmailDeps, 'queue' | 'home'> & {
    readonly secrets: SecretKeys;
    readonly identityProvider: IdentityProvider;
  };

/** Our registration at the provider, with its secret decrypted. @throws SecretError when it cannot be decrypted */
export async function clientOf(
  { secrets }: Pick<ProviderDeps, 'secrets'>,
  { issuer, clientId, clientSecret }: Pick<ProviderRow, 'issuer' | 'clientId' | 'clientSecret'>,
): Promise<ProviderClient> {
  if (clientSecret === null) return { issuer, clientId, clientSecret };
  const key = await secrets.current();
  if (key === null) throw new SecretError('The key for stored secrets is missing.');
  return { issuer, clientId, clientSecret: openSecret(key, PROVIDER_SECRET_PLACE, clientSecret) };
}

/** Whether groups decide who comes in, or who is an administrator. */
export function usesGroups({
  adminGroups,
  userGroups,
}: Pick<ProviderRow, 'adminGroups' | 'userGroups'>): boolean {
  return adminGroups.length > 0 || userGroups.length > 0;
}
