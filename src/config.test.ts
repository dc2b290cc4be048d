import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('nothing set is a server for this machine only', () => {
  expect(readConfig({})).toEqual({
    ok: true,
    config: {
      port: 5000,
      host: '127.0.0.1',
      boundToLoopback: true,
      databaseUrl: null,
      databaseOwnerUrl: null,
      dataDir: resolve('data'),
      publicUrl: null,
      insecureHttp: false,
      trustedProxies: [],
      metricsToken: null,
      requiresTwoFactor: false,
      secretKey: null,
      oldSecretKeys: [],
      backupPassphrase: null,
      aws: {
        accessKeyId: null,
        secretAccessKey: null,
        sessionToken: null,
        region: null,
        endpoint: null,
        isPathStyle: null,
      },
      backsUpBeforeUpgrade: true,
      addresses: {
        walmart: 'https://marketplace.walmartapis.com',
        amazon: 'https://sellingpartnerapi-na.amazon.com',
        michaels: 'https://www.michaels.com',
        ebay: 'https://api.ebay.com',
        etsy: 'https://api.etsy.com',
        shopify: 'https://myshopify.com',
        veeqo: 'https://api.veeqo.com',
      },
      usesTestAddresses: false,
      isDemo: false,
      smtpUrl: null,
      mailFrom: 'pricewright@localhost',
      logLevel: 'info',
      traces: null,
    },
  });
});

test('a variable set to nothing counts as not set', () => {
  expect(readConfig({ PORT: ' ', DATABASE_URL: '' })).toEqual(readConfig({}));
});

test.each([
  ['PORT', '80a'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '0x50'],
  ['HOST', 'two words'],
  ['DATABASE_URL', 'mysql://localhost/shop'],
  ['DATABASE_OWNER_URL', 'postgresql://owner@db/real'],
  ['PUBLIC_URL', 'prices.example.com'],
  ['PUBLIC_URL', 'https://example.com/prices'],
  ['PUBLIC_URL', 'ftp://example.com'],
  ['PRICEWRIGHT_INSECURE_HTTP', 'yes'],
  ['TRUSTED_PROXIES', 'true'],
  ['TRUSTED_PROXIES', '10.0.0.1/33'],
  ['METRICS_TOKEN', 'short'],
  ['PRICEWRIGHT_SECRET_KEY', 'a password that a user chose'],
  ['PRICEWRIGHT_OLD_SECRET_KEYS', `${'ab'.repeat(32)},short`],
  ['PRICEWRIGHT_REQUIRE_2FA', 'yes'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
  ['PRICEWRIGHT_VEEQO_URL', 'http://veeqo.example.com'],
  ['PRICEWRIGHT_VEEQO_URL', 'ftp://127.0.0.1'],
  ['PRICEWRIGHT_VEEQO_URL', 'https://user:word@veeqo.example.com'],
  ['PRICEWRIGHT_VEEQO_URL', 'https://veeqo.example.com?x=1'],
  ['PRICEWRIGHT_AMAZON_URL', 'http://amazon.example.com'],
  ['PRICEWRIGHT_WALMART_URL', 'http://10.0.0.5'],
  ['PRICEWRIGHT_EBAY_URL', 'http://ebay.example.com'],
  ['PRICEWRIGHT_ETSY_URL', 'etsy'],
  ['PRICEWRIGHT_SHOPIFY_URL', 'http://shop.example.com'],
  ['PRICEWRIGHT_MICHAELS_URL', 'file:///etc/passwd'],
  ['PRICEWRIGHT_ALLOW_TEST_ADDRESSES', 'yes'],
  ['SMTP_URL', 'mail.example.com'],
  ['SMTP_URL', 'http://mail.example.com'],
  ['SMTP_URL', 'smtps://mail.example.com?tls.rejectUnauthorized=false'],
  ['SMTP_URL', 'smtp://user:100%sure@mail.example.com'],
  ['MAIL_FROM', 'Pricewright'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s is refused in one sentence that names it', (name, value) => {
  const result = readConfig({ [name]: value });
  expect(result).toEqual({
    ok: false,
    problems: [expect.stringMatching(new RegExp(`^${name} must .+\\.$`))],
  });
});

test('every wrong variable is named at once', () => {
  const result = readConfig({ PORT: 'x', LOG_LEVEL: 'loud' });
  expect(result.ok ? [] : result.problems).toHaveLength(2);
});

test('a proxy may be an address or a network', () => {
  const result = readConfig({ TRUSTED_PROXIES: '10.0.0.5, 192.168.0.0/24,fd00::/8' });
  expect(result.ok && result.config.trustedProxies).toEqual(['10.0.0.5', '192.168.0.0/24', 'fd00::/8']);
});

test.each([
  ['an open address without https in front', { HOST: '0.0.0.0' }, false],
  ['the same, accepted by hand', { HOST: '0.0.0.0', PRICEWRIGHT_INSECURE_HTTP: '1' }, true],
  ['an open address behind https', { HOST: '0.0.0.0', PUBLIC_URL: 'https://prices.example.com' }, true],
  ['a public plain http address', { PUBLIC_URL: 'http://prices.example.com' }, false],
  ['a plain http address of this machine', { PUBLIC_URL: 'http://localhost:5000' }, true],
  ['one while other machines get in', { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:5000' }, false],
])('%s', (_, env, ok) => {
  expect(readConfig(env).ok).toBe(ok);
});

test('the sample store has a data folder of its own', () => {
  const read = readConfig({}, true);
  expect(read).toMatchObject({ ok: true, config: { isDemo: true, dataDir: resolve('data-demo') } });
  expect(readConfig({ PRICEWRIGHT_DATA: '/srv/try' }, true)).toMatchObject({
    config: { dataDir: '/srv/try' },
  });
});

test.each([
  [
    'a real database',
    { DATABASE_URL: 'postgresql://shop@db/real' },
    /^DATABASE_URL must not be set with --demo/,
  ],
  ['another machine', { HOST: '0.0.0.0', PRICEWRIGHT_INSECURE_HTTP: '1' }, /^HOST, PUBLIC_URL and/],
  ['a proxy', { TRUSTED_PROXIES: '10.0.0.5' }, /^HOST, PUBLIC_URL and/],
  ['a public address', { PUBLIC_URL: 'https://prices.example.com' }, /^HOST, PUBLIC_URL and/],
] as const)('the sample shop, whose password everybody knows, never meets %s', (_, env, problem) => {
  expect(readConfig(env, true)).toEqual({ ok: false, problems: [expect.stringMatching(problem)] });
});

test.each([
  ['https://veeqo.example.com', 'https://veeqo.example.com'],
  ['https://veeqo.example.com/v2/', 'https://veeqo.example.com/v2'],
  ['http://127.0.0.1:8123', 'http://127.0.0.1:8123'],
  ['http://[::1]:8123/', 'http://[::1]:8123'],
])('Veeqo may answer at %s', (address, read) => {
  const result = readConfig({ PRICEWRIGHT_VEEQO_URL: address });
  expect(result.ok && result.config.addresses.veeqo).toBe(read);
});

test('the secret key is 32 bytes, as hex or base64', () => {
  const bytes = Buffer.alloc(32, 1);
  for (const text of [bytes.toString('hex'), bytes.toString('base64')]) {
    const result = readConfig({ PRICEWRIGHT_SECRET_KEY: text });
    expect(result.ok && result.config.secretKey).toEqual(bytes);
  }
});

test('email comes from the public host by default', () => {
  expect(readConfig({ PUBLIC_URL: 'https://prices.example.com', SMTP_URL: 'smtp://mail:25' })).toMatchObject({
    config: { smtpUrl: 'smtp://mail:25', mailFrom: 'pricewright@prices.example.com' },
  });
  expect(readConfig({ MAIL_FROM: 'shop@example.com' })).toMatchObject({
    config: { mailFrom: 'shop@example.com' },
  });
});

test('the sample store sends no email', () => {
  expect(readConfig({ SMTP_URL: 'smtp://mail:25' }, true)).toMatchObject({ config: { smtpUrl: null } });
});

test.each([
  [{}, false],
  [{ HOST: '0.0.0.0', PRICEWRIGHT_INSECURE_HTTP: '1' }, true],
  [{ PUBLIC_URL: 'https://prices.example.com' }, true],
  [{ PUBLIC_URL: 'http://localhost:8080' }, false],
  [{ TRUSTED_PROXIES: '127.0.0.1' }, true],
  [{ PRICEWRIGHT_REQUIRE_2FA: '1' }, true],
  [{ PUBLIC_URL: 'https://prices.example.com', PRICEWRIGHT_REQUIRE_2FA: '0' }, false],
])('%j: administrators need a second factor: %s', (env, isRequired) => {
  expect(readConfig(env)).toMatchObject({ config: { requiresTwoFactor: isRequired } });
});

test('old keys are a list, in either form', () => {
  const [one, two] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const given = `${one}, ${Buffer.from(two, 'hex').toString('base64')}`;
  expect(readConfig({ PRICEWRIGHT_OLD_SECRET_KEYS: given })).toMatchObject({
    config: { oldSecretKeys: [Buffer.from(one, 'hex'), Buffer.from(two, 'hex')] },
  });
});

test.each(['WALMART', 'AMAZON', 'MICHAELS', 'EBAY', 'ETSY', 'SHOPIFY', 'VEEQO'])(
  '%s can have a test address, which is reported, and in production only on purpose',
  (service) => {
    const name = `PRICEWRIGHT_${service}_URL`;
    const env = { [name]: 'http://127.0.0.1:4010/x' };
    expect(readConfig(env)).toMatchObject({ ok: true, config: { usesTestAddresses: true } });
    expect(readConfig({ ...env, NODE_ENV: 'production' })).toEqual({
      ok: false,
      problems: [
        expect.stringMatching(new RegExp(`^${name} must not be set with NODE_ENV=production.*=1 if`)),
      ],
    });
    expect(
      readConfig({ ...env, NODE_ENV: 'production', PRICEWRIGHT_ALLOW_TEST_ADDRESSES: '1' }),
    ).toMatchObject({
      config: { usesTestAddresses: true },
    });
  },
);

test('the address of the real service is no test address, in production either', () => {
  const env = { PRICEWRIGHT_EBAY_URL: 'https://api.ebay.com/', NODE_ENV: 'production' };
  expect(readConfig(env)).toMatchObject({ ok: true, config: { usesTestAddresses: false } });
});

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/' };

test('an endpoint turns traces on, with the standard variables', () => {
  const result = readConfig({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key=, x-tenant = shop',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  });
  expect(result.ok && result.config.traces).toEqual({
    url: 'https://collector.example.com/otlp/v1/traces',
    headers: { 'api-key': 'a key=', 'x-tenant': 'shop' },
    attributes: { 'deployment.environment.name': 'production' },
    serviceName: 'pricewright',
    ratio: 0.25,
  });
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://user:word@collector.example.com'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector.example.com?key=1'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api key=1'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=1%0d%0ax'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'production'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
])('%s=%s is refused with an endpoint, and ignored without', (name, value) => {
  const wrong = { OTEL_TRACES_SAMPLER: 'traceidratio', [name]: value };
  expect(readConfig({ ...ENDPOINT, ...wrong })).toEqual({
    ok: false,
    problems: [expect.stringMatching(new RegExp(`^${name} must .+\\.$`))],
  });
  const off = { ...ENDPOINT, ...wrong, OTEL_SDK_DISABLED: 'true' };
  expect(readConfig(off)).toEqual(readConfig({}));
});
