import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LoginAnswer, ProviderClient } from '#connectors/identity-provider.ts';
import { instant } from '#domain/units.ts';
import {
  type StubFaults,
  type StubPerson,
  type StubProvider,
  startStubProvider,
} from '#tests/support/stub-provider.ts';
import { createIdentityProvider } from './openid-provider.ts';

// Far from the clock of the machine: both sides go by their own.
let at = Date.UTC(2026, 0, 15, 12);
const now = () => instant(at);

let stub: StubProvider;
let client: ProviderClient;
beforeAll(async () => {
  stub = await startStubProvider(now);
  const { issuer, clientId, clientSecret } = stub;
  client = { issuer, clientId, clientSecret };
});
afterAll(() => stub.close());
beforeEach(() => {
  stub.faults = {};
  stub.requests.length = 0;
  at = Date.UTC(2026, 0, 15, 12);
});

const ANN: StubPerson = {
  sub: 'ann-1',
  email: 'ann@example.com',
  email_verified: true,
  name: 'Ann Arbor',
  groups: ['sellers'],
  amr: ['pwd', 'mfa'],
};
const OUR_PAGE = 'http://127.0.0.1:5000/auth/return';
const SECRETS = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) };

/** The address of the login page, as a new client of the provider makes it. */
async function begin(isFresh = false) {
  const provider = createIdentityProvider({ now });
  const request = { redirectUri: OUR_PAGE, scopes: ['openid', 'email'], acrValues: [], isFresh, ...SECRETS };
  const page = await provider.pageFor(client, request);
  if (page.kind === 'failed') throw new Error(page.reason);
  return { provider, page: page.value };
}

/** A login from the first page to the claims. */
async function logIn(person: StubPerson, faults: StubFaults = {}, over: Partial<LoginAnswer> = {}) {
  const { provider, page } = await begin();
  stub.faults = faults;
  const query = stub.logIn(page, person);
  return provider.exchange(client, {
    redirectUri: OUR_PAGE,
    query,
    groupsClaim: 'groups',
    ...SECRETS,
    ...over,
  });
}

describe('a login', () => {
  test('brings what the provider says of the person', async () => {
    expect(await logIn(ANN)).toEqual({
      kind: 'ok',
      value: {
        issuer: stub.issuer,
        subject: 'ann-1',
        email: 'ann@example.com',
        isEmailVerified: true,
        name: 'Ann Arbor',
        groups: ['sellers'],
        methods: ['pwd', 'mfa'],
        acr: null,
        authTime: at / 1_000,
      },
    });
    // The signature was checked with the published keys; nothing was missing in the token.
    expect(stub.requests).toEqual(['GET /.well-known/openid-configuration', 'POST /token', 'GET /jwks']);
  });

  test('shows no name that cannot be shown on one line', async () => {
    expect(await logIn({ ...ANN, name: 'Ann\u0000' })).toMatchObject({ value: { name: null } });
  });

  test('asks for PKCE, state and nonce, and shows no secret of them', async () => {
    const requested = stub.asked((await begin()).page);
    expect(Object.fromEntries(requested)).toEqual({
      client_id: 'pricewright',
      response_type: 'code',
      redirect_uri: OUR_PAGE,
      scope: 'openid email',
      state: SECRETS.state,
      nonce: SECRETS.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(requested.get('code_challenge')).not.toBe(SECRETS.verifier);
  });

  test('asks for a fresh one where it confirms an action', async () => {
    const requested = stub.asked((await begin(true)).page);
    expect([requested.get('prompt'), requested.get('max_age')]).toEqual(['login', '0']);
  });

  test('takes from the user info what the token leaves out, and never the identity', async () => {
    const { email: _email, email_verified: _verified, groups: _groups, ...short } = ANN;
    const info = { email: 'ann@example.com', email_verified: 'true', groups: 'sellers', amr: ['mfa'] };
    const found = await logIn({ ...short, amr: ['pwd'], info });
    expect(found).toMatchObject({
      value: { email: 'ann@example.com', isEmailVerified: true, groups: ['sellers'], methods: ['pwd'] },
    });
    expect(await logIn({ ...short, info: { ...info, sub: 'bob-2' } })).toMatchObject({
      reason: 'not_trusted',
    });
  });

  test.each([
    ['no groups', {}, null],
    ['groups of another form', { groups: { a: 1 } }, null],
    ['no group', { groups: [] }, []],
  ])('with %s in the token keeps unknown apart from none', async (_name, over, groups) => {
    const { groups: _groups, ...rest } = ANN;
    expect(await logIn({ ...rest, ...over })).toMatchObject({ value: { groups } });
  });

  test.each([[false], ['false'], [undefined], [1]])(
    'with email_verified %j is of no verified address',
    async (value) => {
      expect(await logIn({ ...ANN, email_verified: value })).toMatchObject({
        value: { email: 'ann@example.com', isEmailVerified: false },
      });
    },
  );
});

const shift = (name: string, by: number) => (claims: Record<string, unknown>) => ({
  ...claims,
  [name]: Number(claims[name]) + by,
});
const set = (change: Record<string, unknown>) => (claims: Record<string, unknown>) => ({
  ...claims,
  ...change,
});

describe('an ID token', () => {
  test.each<[string, StubFaults]>([
    ['of another nonce', { claims: set({ nonce: 'x'.repeat(43) }) }],
    ['without a nonce', { claims: set({ nonce: undefined }) }],
    ['for another client', { claims: set({ aud: 'another' }) }],
    ['for two clients, used by the other', { claims: set({ aud: ['pricewright', 'b'], azp: 'b' }) }],
    ['for two clients without saying by which', { claims: set({ aud: ['pricewright', 'b'] }) }],
    ['of another issuer', { claims: set({ iss: 'https://evil.example' }) }],
    ['that has expired', { claims: shift('exp', -400) }],
    ['from the future', { claims: shift('iat', 400) }],
    ['that is not valid yet', { claims: set({ nbf: at / 1_000 + 400 }) }],
    ['without an end', { claims: set({ exp: undefined }) }],
    ['without a subject', { claims: set({ sub: undefined }) }],
    ['with a subject that cannot be stored', { claims: set({ sub: 'ann\u0000' }) }],
    ['with a blank subject', { claims: set({ sub: ' ' }) }],
    ['with an endless subject', { claims: set({ sub: 'x'.repeat(256) }) }],
    ['without a signature', { signature: 'none' }],
    ['signed with the client secret', { signature: 'client_secret' }],
    ['signed with a key that is not published', { signature: 'other_key' }],
    ['with half a signature', { signature: 'cut' }],
    ['that is missing', { answers: { '/token': token({}) } }],
    ['that is no token', { answers: { '/token': token({ id_token: 'x.y.z' }) } }],
  ])('%s is not trusted', async (_name, faults) => {
    expect(await logIn(ANN, faults)).toEqual({ kind: 'failed', reason: 'not_trusted' });
  });

  test.each([
    ['exp', -340],
    ['iat', 40],
  ])('is taken while the clocks differ by less than a minute: %s', async (name, by) => {
    expect(await logIn(ANN, { claims: shift(name, by) })).toMatchObject({ kind: 'ok' });
  });
});

function token(over: object) {
  return { status: 200, body: JSON.stringify({ access_token: 'a', token_type: 'Bearer', ...over }) };
}

describe('a response', () => {
  test.each<[string, NonNullable<StubFaults['response']>, string]>([
    ['of another provider (mix-up)', { iss: 'https://evil.example' }, 'not_trusted'],
    ['without the name of the provider, which announces it', { iss: null }, 'not_trusted'],
    ['of another state', { state: 'x' }, 'not_trusted'],
    ['without a code', { code: null }, 'not_trusted'],
    ['with another code', { code: 'guessed' }, 'code_refused'],
    ['that declines', { code: null, error: 'access_denied' }, 'declined'],
    ['about the client', { code: null, error: 'unauthorized_client' }, 'client_refused'],
    [
      'with another error',
      { code: null, error: 'server_error', error_description: 'secret words' },
      'failed',
    ],
  ])('%s is refused', async (_name, response, reason) => {
    expect(await logIn(ANN, { response })).toEqual({ kind: 'failed', reason });
  });

  test('works once', async () => {
    const { provider, page } = await begin();
    const query = stub.logIn(page, ANN);
    const answer = { redirectUri: OUR_PAGE, query, groupsClaim: null, ...SECRETS };
    expect(await provider.exchange(client, answer)).toMatchObject({ kind: 'ok' });
    expect(await provider.exchange(client, answer)).toEqual({ kind: 'failed', reason: 'code_refused' });
  });

  test('works with the verifier of its own start alone', async () => {
    expect(await logIn(ANN, {}, { verifier: 'w'.repeat(43) })).toEqual({
      kind: 'failed',
      reason: 'code_refused',
    });
  });
});

describe('a provider', () => {
  const config = '/.well-known/openid-configuration';

  test('says what it can', async () => {
    expect(await createIdentityProvider({ now }).discover(client)).toEqual({
      kind: 'ok',
      value: {
        issuer: stub.issuer,
        authorizationEndpoint: `${stub.issuer}/login`,
        tokenEndpoint: `${stub.issuer}/token`,
        announcesPkce: true,
        namesItself: true,
      },
    });
  });

  test.each<[string, StubFaults, string]>([
    ['of another name', { document: set({ issuer: 'https://evil.example' }) }, 'other_issuer'],
    ['without keys', { document: set({ jwks_uri: undefined }) }, 'not_a_provider'],
    ['without code flow', { document: set({ response_types_supported: ['id_token'] }) }, 'unsupported'],
    [
      'that signs with shared secrets alone',
      { document: set({ id_token_signing_alg_values_supported: ['HS256', 'none'] }) },
      'unsupported',
    ],
    ['that leads to plain http', { document: set({ token_endpoint: 'http://10.0.0.1/token' }) }, 'insecure'],
    ['that is none', { answers: { [config]: { status: 404, body: '{}' } } }, 'not_a_provider'],
    [
      'that answers with a page',
      { answers: { [config]: { status: 200, body: '<html>' } } },
      'not_a_provider',
    ],
    ['that is down', { answers: { [config]: { status: 503, body: '{}' } } }, 'unreachable'],
    ['that redirects', { answers: { [config]: { status: 302, body: '' } } }, 'not_a_provider'],
    [
      'whose document has no end',
      { answers: { [config]: { status: 200, body: ' '.repeat(600 * 1_024) } } },
      'unreachable',
    ],
  ])('%s is not used', async (_name, faults, reason) => {
    stub.faults = faults;
    expect(await createIdentityProvider({ now }).discover(client)).toEqual({ kind: 'failed', reason });
  });

  test('that cannot be reached or has no https is not used', async () => {
    const at = (issuer: string) => createIdentityProvider({ now }).discover({ ...client, issuer });
    expect(await at('http://127.0.0.1:9')).toEqual({ kind: 'failed', reason: 'unreachable' });
    expect(await at('http://login.example.com')).toEqual({ kind: 'failed', reason: 'insecure' });
  });

  test.each([['169.254.169.254'], ['fe80::1'], ['0.0.0.0']])(
    'at the link-local address %s is not reached',
    async (address) => {
      const lookup = ((_name: string, options: { all?: boolean }, callback: (...given: unknown[]) => void) =>
        options.all === true
          ? callback(null, [{ address, family: 4 }])
          : callback(null, address, 4)) as never;
      const provider = createIdentityProvider({ now, lookup });
      expect(await provider.discover({ ...client, issuer: 'https://login.example.com' })).toEqual({
        kind: 'failed',
        reason: 'unreachable',
      });
    },
  );

  test.each<[string, StubFaults, string]>([
    [
      'with a wrong secret',
      { answers: { '/token': { status: 401, body: '{"error":"invalid_client"}' } } },
      'client_refused',
    ],
    ['that fails', { answers: { '/token': { status: 500, body: '{}' } } }, 'unreachable'],
    ['without its keys', { answers: { '/jwks': { status: 500, body: '{}' } } }, 'unreachable'],
    ['with a page for a token', { answers: { '/token': { status: 200, body: '<html>' } } }, 'not_trusted'],
  ])('%s ends a login', async (_name, faults, reason) => {
    expect(await logIn(ANN, faults)).toEqual({ kind: 'failed', reason });
  });

  test('is asked for its document again after ten minutes', async () => {
    const provider = createIdentityProvider({ now });
    const request = {
      redirectUri: OUR_PAGE,
      scopes: ['openid'],
      acrValues: ['mfa'],
      isFresh: false,
      ...SECRETS,
    };
    await provider.pageFor(client, request);
    await provider.pageFor(client, request);
    expect(stub.requests).toEqual([`GET ${config}`]);
    at += 600_000;
    await provider.pageFor(client, request);
    expect(stub.requests).toEqual([`GET ${config}`, `GET ${config}`]);
  });
});
