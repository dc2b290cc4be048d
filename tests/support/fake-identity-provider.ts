import type { IdentityProvider, ProviderClaims } from '#connectors/identity-provider.ts';

/** No test calls a provider by chance: those about it have one on this machine. */
export const UNREACHABLE_PROVIDER: IdentityProvider = {
  discover: async () => ({ kind: 'failed', reason: 'unreachable' }),
  pageFor: async () => ({ kind: 'failed', reason: 'unreachable' }),
  exchange: async () => ({ kind: 'failed', reason: 'unreachable' }),
};

/** An identity provider without a network: every login is that of the person as they are then. */
export function fakeIdentityProvider(person: Partial<ProviderClaims> = {}): IdentityProvider {
  const issuer = 'https://login.example.com';
  return {
    discover: async () => ({
      kind: 'ok',
      value: {
        issuer,
        authorizationEndpoint: `${issuer}/login`,
        tokenEndpoint: `${issuer}/token`,
        announcesPkce: true,
        namesItself: true,
      },
    }),
    pageFor: async (_client, { state }) => ({ kind: 'ok', value: `${issuer}/login?state=${state}` }),
    exchange: async () => ({
      kind: 'ok',
      value: {
        issuer,
        subject: 'ann-1',
        email: 'ann@example.com',
        isEmailVerified: true,
        name: 'Ann Arbor',
        groups: null,
        methods: ['mfa'],
        acr: null,
        authTime: null,
        ...person,
      },
    }),
  };
}
