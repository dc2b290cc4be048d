import type { LightMyRequestResponse } from 'fastify';
import { createIdentityProvider } from '#connectors/openid/openid-provider.ts';
import type { EditProvider } from '#contract/identity-provider.ts';
import { instant } from '#domain/units.ts';
import { callAs } from './people.ts';
import { type StubPerson, type StubProvider, startStubProvider } from './stub-provider.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/** A shop whose users can log in with an identity provider on this machine. */
export interface ProviderShop extends TestApp {
  readonly stub: StubProvider;
  /** Of the first administrator, who has a password. */
  readonly boss: string;
  /** Saves other settings of the provider. */
  configure(change?: Partial<EditProvider>): Promise<LightMyRequestResponse>;
}

/** A browser: what it keeps between its calls. */
export type Jar = Map<string, string>;

export async function createProviderShop(
  over: Parameters<typeof createTestApp>[0] = {},
): Promise<ProviderShop> {
  let now = (): number => 0;
  const stub = await startStubProvider(() => now());
  const identityProvider = createIdentityProvider({ now: () => instant(now()) });
  const shop = await createTestApp({ identityProvider, ...over });
  now = () => shop.deps.now();
  const boss = await shop.admin();
  let version: number | null = null;
  const configure: ProviderShop['configure'] = async (change = {}) => {
    const answer = await callAs(shop, boss, 'PUT', '/api/openid/settings', {
      isOn: true,
      issuer: stub.issuer,
      clientId: stub.clientId,
      clientSecret: stub.clientSecret,
      label: 'Shop login',
      scopes: ['openid', 'email', 'profile'],
      groupsClaim: 'groups',
      adminGroups: [],
      userGroups: [],
      linksAccounts: true,
      createsAccounts: false,
      secondFactor: 'provider',
      factorAcrs: [],
      directLogin: 'all',
      version,
      ...change,
    });
    version = answer.json().version ?? version;
    return answer;
  };
  return {
    ...shop,
    stub,
    boss,
    configure,
    close: async () => {
      await shop.close();
      await stub.close();
    },
  };
}

/** A call of a browser, which keeps the cookies of the answer. */
export async function browse(
  shop: TestApp,
  jar: Jar,
  url: string,
  payload: object,
  remoteAddress = '127.0.0.1',
): Promise<LightMyRequestResponse> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await shop.post(url, payload, { remoteAddress, headers: { cookie } });
  for (const { name, value } of answer.cookies) {
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }
  return answer;
}

/** Starts a login. @returns the address of the provider's page */
export async function leave(shop: TestApp, jar: Jar, returnTo = '/'): Promise<string> {
  return (await browse(shop, jar, '/api/openid/login', { returnTo })).json().address;
}

/** Comes back from the provider. */
export function comeBack(shop: TestApp, jar: Jar, query: string): Promise<LightMyRequestResponse> {
  return browse(shop, jar, '/api/openid/answer', { query });
}

/** A login with the provider, from a browser of its own unless one is given. */
export async function logInAs(
  shop: ProviderShop,
  person: StubPerson,
  jar: Jar = new Map(),
): Promise<{ readonly jar: Jar; readonly answer: LightMyRequestResponse; readonly cookie: string }> {
  const page = await leave(shop, jar);
  const answer = await comeBack(shop, jar, shop.stub.logIn(page, person));
  return { jar, answer, cookie: `pricewright=${jar.get('pricewright')}` };
}
