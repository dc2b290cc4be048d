import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askFrom,
  documentedServer,
  findNginx,
  freePort,
  type Nginx,
  onPort,
  startNginx,
} from '#tests/support/nginx.ts';
import { adminByLink } from '#tests/support/people.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';

const NGINX = findNginx();
if (NGINX === null) console.info('SKIPPED: no nginx here, so that nothing was tried behind a real proxy.');

/** An address of this machine, like everything around it: what nginx forwards looks local. */
const UNKNOWN_ADDRESS = '127.0.0.66';
const METRICS_TOKEN = 'a token for scrapers only';
const HTTPS = 'https://prices.example.com';
/** The answer to a scraper without the token. */
const REFUSED = 403;
const FROM_PAGE = { host: 'prices.example.com', 'content-type': 'application/json', origin: HTTPS };

describe.skipIf(NGINX === null)('behind nginx, with PUBLIC_URL and TRUSTED_PROXIES', () => {
  let shop: TestApp;
  let nginx: Nginx;
  let bare: number;
  let documented: number;
  beforeAll(async () => {
    shop = await createTestApp({
      publicUrl: HTTPS,
      trustedProxies: ['127.0.0.1'],
      home: () => HTTPS,
      metricsToken: METRICS_TOKEN,
    });
    const upstream = Number(new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' })).port);
    bare = await freePort();
    documented = await freePort();
    const servers = [
      `server { listen 127.0.0.1:${bare}; location / { proxy_pass http://127.0.0.1:${upstream}; } }`,
      onPort(await documentedServer(), documented, upstream),
    ];
    nginx = await startNginx(NGINX ?? '', servers.join('\n'), documented);
  });
  afterAll(async () => {
    await nginx?.stop();
    await shop.close();
  });
  const portOf = { bare: () => bare, documented: () => documented };

  const post = (port: number, path: string, payload: object, headers: object = {}) =>
    askFrom(UNKNOWN_ADDRESS, port, path, {
      method: 'POST',
      headers: { ...FROM_PAGE, ...headers },
      body: JSON.stringify(payload),
    });
  const warnings = () => shop.log.filter((line) => line.includes('hides client addresses')).length;

  test.each(['documented', 'bare'] as const)(
    'a stranger gets neither the first account nor the metrics: %s',
    async (kind) => {
      const port = portOf[kind]();
      expect(JSON.parse((await askFrom(UNKNOWN_ADDRESS, port, '/api/first-admin')).text)).toEqual({
        way: 'setup_link',
      });
      const registered = await post(port, '/api/register', aRegistration({ email: `${kind}@example.com` }));
      expect(JSON.parse(registered.text)).toMatchObject({ role: 'user', approved: false });
      const scrape = async (token: string) =>
        (await askFrom(UNKNOWN_ADDRESS, port, '/metrics', { headers: { authorization: `Bearer ${token}` } }))
          .status;
      expect((await askFrom(UNKNOWN_ADDRESS, port, '/metrics')).status).toBe(REFUSED);
      expect([await scrape('another token'), await scrape(METRICS_TOKEN)]).toEqual([REFUSED, 200]);
      // In the order of the table: only the bare one does not pass on the client's address.
      expect(warnings()).toBe(kind === 'bare' ? 1 : 0);
    },
  );

  test('the documented file passes on client addresses, large files, and events as they happen', async () => {
    const wrong = { username: 'documented@example.com', password: 'not this one at all', twoFactorToken: '' };
    // Also of a client that claims another one.
    const forged = { 'x-forwarded-for': '203.0.113.9' };
    for (const headers of [{}, forged])
      expect((await post(documented, '/api/login', wrong, headers)).status).toBe(401);
    const { rows } = await shop.db.execute(
      sql`SELECT DISTINCT address FROM audit_log WHERE action = 'login.failed'`,
    );
    expect(rows).toEqual([{ address: UNKNOWN_ADDRESS }]);
    const limits = await shop.db.execute(
      sql`SELECT subject FROM login_attempts WHERE kind = 'login' AND subject LIKE 'address:%'`,
    );
    expect(limits.rows).toEqual([{ subject: `address:${UNKNOWN_ADDRESS}` }]);

    const upload = await askFrom(UNKNOWN_ADDRESS, documented, '/api/imports?kind=skus&name=a.csv', {
      method: 'POST',
      headers: { ...FROM_PAGE, 'content-type': 'text/csv' },
      body: 'x'.repeat(2_000_000),
    });
    // Rejected by us and not by nginx, whose default limit is one megabyte.
    expect(upload.status).toBe(401);

    const cookie = await adminByLink(shop);
    const stream = await fetch(`http://127.0.0.1:${documented}/api/events`, { headers: { cookie } });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('resync');
    shop.deps.liveStreams.publish({ kind: 'changed', topic: 'listings', ids: ['7'] });
    expect((await reader?.read())?.value).toContain('"ids":["7"]');
    await reader?.cancel();
  });
});
