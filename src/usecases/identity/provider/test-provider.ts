import type { ProviderFailure } from '#connectors/identity-provider.ts';
import { isIssuer } from '#connectors/issuer.ts';
import type { ProviderTest } from '#contract/identity-provider.ts';
import type { ProviderDeps } from './provider-deps.ts';

/** For administrators: what is wrong, and how to fix it. */
const PROBLEMS: Readonly<Record<ProviderFailure, string>> = {
  unreachable:
    'No response. Check the address, whether this server may connect to it, and its certificate (NODE_EXTRA_CA_CERTS for an authority of your own).',
  not_a_provider:
    'There is no OpenID Connect document at this address with /.well-known/openid-configuration added. Copy the issuer from the provider.',
  other_issuer:
    'The document of the provider names another issuer. Copy it exactly from there, with or without the slash at the end.',
  insecure: 'The provider names an address without https. Configure its public https address there.',
  unsupported:
    'The provider offers no code flow, or signs ID tokens with no public key. Choose RS256 or ES256 there.',
  client_refused: 'The provider refused the client.',
  declined: 'The provider declined.',
  code_refused: 'The provider refused the code.',
  not_trusted: 'The response of the provider failed a check.',
  failed: 'The provider reported an error.',
};

/** Reads what a provider says about itself. Client ID and secret only count at a login, so they are not tested. */
export async function testProvider(
  { identityProvider }: Pick<ProviderDeps, 'identityProvider'>,
  issuer: string,
): Promise<ProviderTest> {
  if (!isIssuer(issuer)) return problem('The issuer must be an https address without query.');
  const found = await identityProvider.discover({ issuer, clientId: 'test', clientSecret: null });
  if (found.kind === 'failed') return problem(PROBLEMS[found.reason]);
  const { announcesPkce, namesItself, authorizationEndpoint } = found.value;
  const say = (text: string) => ({ isProblem: false, text });
  return {
    isUsable: true,
    findings: [
      say(`Found. Users log in at ${new URL(authorizationEndpoint).host}.`),
      say(
        announcesPkce
          ? 'It checks PKCE.'
          : 'It does not say whether it checks PKCE. Pricewright uses it in any case.',
      ),
      say(
        namesItself
          ? 'Its responses name the issuer, and Pricewright checks that.'
          : 'Its responses do not name the issuer.',
      ),
      say(
        'Client ID, secret and redirect address are only checked at a login: log in once in another browser.',
      ),
    ],
  };
}

function problem(text: string): ProviderTest {
  return { isUsable: false, findings: [{ isProblem: true, text }] };
}
