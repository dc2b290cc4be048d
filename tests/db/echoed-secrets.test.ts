import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account, MarketplaceConnector } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { keepingSecrets, keepingSecretsOfStock } from '#connectors/keeping-secrets.ts';
import { unreadableRow } from '#connectors/passed-over.ts';
import { readUnconfirmed } from '#db/queries/marketplaces/sending/sent-prices.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { syncKindsOf } from '#domain/connections/sync-kinds.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { cents, hours, instant } from '#domain/units.ts';
import { openServices, type Services } from '#src/bootstrap/connectors.ts';
import { readConfig } from '#src/config.ts';
import {
  ECHOES,
  type EchoService,
  KEYS,
  leaksIn,
  SECRET,
  startEchoService,
  tell,
} from '#tests/support/echo-service.ts';
import { everyRow } from '#tests/support/every-row.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { aReadyUser } from '#tests/support/people.ts';
import { addListing } from '#tests/support/seed.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendEmail } from '#usecases/background/send-email.ts';
import type { QueuedEmail } from '#usecases/email/queued-email.ts';
import { recordOutcomes } from '#usecases/marketplaces/sending/record-outcomes.ts';
import { runSync } from '#usecases/marketplaces/sync/sync-loop.ts';
import { updateAlerts } from '#usecases/repricing/alerts/update-alerts.ts';

const NOW = instant(Date.UTC(2026, 10, 22, 12));
const never = new AbortController().signal;

let echo: EchoService;
let shop: TestApp;
let boss = '';
const { secret, refresh, shared } = SECRET;
beforeAll(async () => {
  echo = await startEchoService();
  // The services need the database of the test app, and the app the services: it gets the current ones.
  const now = () => services();
  shop = await createTestApp({
    secrets: { current: () => now().secrets.current(), forWriting: () => now().secrets.forWriting() },
    connections: {
      stateOf: (marketplace) => now().connections.stateOf(marketplace),
      consentOf: (marketplace) => now().connections.consentOf(marketplace),
    },
    inventory: {
      check: (key, signal) => now().inventory.check(key, signal),
      readSkus: (key, signal) => now().inventory.readSkus(key, signal),
    },
  });
  boss = await shop.admin();
  const page = settingsPage(shop, boss);
  const markets = Object.fromEntries(MARKETPLACES.map((name) => [name, { enabled: true, ...KEYS[name] }]));
  const saved = await page.save({
    ...(await page.withMarkets(markets)),
    veeqo: { enabled: true, apiKey: secret },
    notifications: true,
  });
  expect(saved.statusCode).toBe(200);
});
afterAll(async () => {
  await shop.close();
  await echo.close();
});

/**
 * The program's own services, with the echo as their server. New ones each time: earlier calls count in their budgets.
 */
function services(): Services {
  const names = [...MARKETPLACES, 'veeqo'].map((name) => `PRICEWRIGHT_${name.toUpperCase()}_URL`);
  const addresses = Object.fromEntries(names.map((name) => [name, echo.url]));
  const read = readConfig({ ...addresses, PRICEWRIGHT_SECRET_KEY: '7'.repeat(64) });
  if (!read.ok) throw new Error(read.problems.join());
  let at = NOW;
  return openServices({ config: read.config, log: shop.deps.log }, shop.db, {
    now: () => at,
    wait: async (milliseconds) => {
      at = instant(at + milliseconds);
    },
  });
}

async function connectorOf(marketplace: Marketplace): Promise<MarketplaceConnector> {
  const state = await services().connections.stateOf(marketplace);
  if (state.kind !== 'connected') throw new Error(`${marketplace} is ${state.kind}`);
  return state.connection.connector;
}

const REF = {
  listingId: 1,
  sku: 'A-1',
  fulfillmentType: 'FBM' as const,
  itemId: '123456789',
  keys: { offerId: '5', productType: 'SHIRT', product: '7', variant: '9', listing: '4', productId: '3' },
};

/** All texts of a connector: results, errors, and what they contain. */
async function textsOf(connector: MarketplaceConnector, account: Account): Promise<string[]> {
  const order = {
    ref: REF,
    price: cents(2_199),
    currentPrice: cents(2_000),
    ownPrices: [],
    sequence: 1,
    idempotencyKey: 'k',
    isUrgent: true,
    notAfter: instant(NOW + hours(1)),
  };
  const sent = { ref: REF, price: cents(2_199), receipt: '12', sentAt: NOW, isLastLook: false };
  const query = { ref: REF, price: cents(2_199), shippingCharge: cents(0) };
  const answer = { code: shared, verifier: refresh, returnTo: 'https://prices.example.com/x' };
  const deeds: (() => unknown)[] = [
    () => connector.check(account, never),
    () => connector.readListings(account, never),
    () => connector.readOffers?.(account, [REF], never),
    () => connector.sendPrices(account, [order], never),
    () => connector.readPrices(account, [sent], never),
    () => connector.readSales?.(account, NOW, never),
    () => connector.readFigures?.(account, [REF], never),
    () => connector.estimateFees?.(account, [query], never),
    () => connector.readMoney?.(account, { since: instant(NOW - hours(24)), until: NOW }, never),
    // The result of a code exchange is a token, and meant to be returned: its errors are not.
    () => connector.consent?.exchange(account.credentials, answer, never).then(() => null),
  ];
  return Promise.all(deeds.map(tell));
}

const WAYS = Object.keys(ECHOES).filter((way) => way !== 'plain');
/** Every way is tried with at least two marketplaces; how a text is shortened does not depend on its source. */
const ROWS = MARKETPLACES.flatMap((marketplace, at) => [
  ...[400, 401, 403, 200].map((status) => [marketplace, 'plain', status, true] as const),
  ...[0, 1, 2].map((way) => [marketplace, WAYS[(at * 3 + way) % WAYS.length] ?? '', 400, true] as const),
  [marketplace, 'plain', 400, false] as const,
]);

describe('a service that repeats the request', () => {
  test.each(ROWS)(
    '%s, %s with %i, tokens given: %s: no credential in its texts',
    async (marketplace, way, status, givesTokens) => {
      echo.how = { write: ECHOES[way] ?? String, status, givesTokens };
      const requested = echo.asked.length;
      const account = { credentials: KEYS[marketplace], tokens: memoryVault() };
      const shown = await textsOf(await connectorOf(marketplace), account);
      expect(shown.filter((text) => leaksIn(text).length > 0)).toEqual([]);
      expect(echo.asked.length).toBeGreaterThan(requested);
    },
  );

  test('inventory, messages and events: no credential either', async () => {
    echo.how = { write: String, status: 400, givesTokens: true };
    const { inventory, notifications, marketplaceEvents } = services();
    const sqsQueueArn = 'arn:aws:sqs:us-east-1:123456789012:offers';
    const accounts = (marketplace: Marketplace): Account => ({
      credentials: { ...KEYS[marketplace], sqsQueueArn },
      tokens: memoryVault(),
    });
    const shown = await Promise.all([
      tell(() => inventory.check(secret, never)),
      tell(() => inventory.readSkus(secret, never)),
      tell(() => notifications.subscribe(accounts('amazon'), never)),
      ...(['shopify', 'walmart'] as const).flatMap((name) => [
        tell(() =>
          marketplaceEvents[name]?.subscribe(accounts(name), 'https://prices.example.com/in', never),
        ),
        tell(() =>
          marketplaceEvents[name]?.unsubscribe(accounts(name), 'https://prices.example.com/in', never),
        ),
      ]),
    ]);
    expect(shown.filter((text) => leaksIn(text).length > 0)).toEqual([]);
    expect(shown.filter((text) => text.includes('[removed]')).length).toBeGreaterThanOrEqual(4);
  });

  test('in a line of an accepted response: no credential in any text of it', async () => {
    const said = `You sent ${secret}`;
    const refusal = { kind: 'rejected', message: said, code: said } as const;
    const connector: MarketplaceConnector = {
      marketplace: 'walmart',
      finalRefusals: new Set(),
      itemReads: { callsPerSecond: 1, listingsPerCall: 1 },
      check: async () => ({ shopName: said, notes: [said], endsAt: null }),
      sendPrices: async () => [
        { listingId: 1, kind: 'rejected', message: said, code: said },
        { listingId: 2, kind: 'accepted', receipt: said },
      ],
      readPrices: async () => [
        { listingId: 1, kind: 'price', price: cents(1), source: 'item', refusal, failure: said },
      ],
      async *readListings() {
        yield { asOf: NOW, source: 'list', entries: [unreadableRow(said, 'price', said)] };
        return { total: null, unavailable: [{ what: 'the images', why: said }] };
      },
      async *readOffers() {
        yield [{ kind: 'unread', listingId: 1, why: said }];
        throw new TypeError(`cannot read ${said}`, { cause: new ConnectorError('service', 'x', { said }) });
      },
    };
    const shown = await textsOf(keepingSecrets(connector), {
      credentials: KEYS.walmart,
      tokens: memoryVault(),
    });
    expect(shown.filter((text) => leaksIn(text).length > 0)).toEqual([]);
    expect(shown.filter((text) => text.includes('[removed]'))).toHaveLength(5);
    const stock = keepingSecretsOfStock({
      check: async () => undefined,
      async *readSkus() {
        yield [{ kind: 'passed_over', what: said, why: 'kit' }];
      },
    });
    expect(await tell(() => stock.readSkus(secret, never))).toContain('You sent [removed]');
  });

  test('no credential reaches the database, the log, an email or a response', async () => {
    echo.how = { write: String, status: 401, givesTokens: true };
    const answers: string[] = [];
    const keep = (answer: { readonly body: string }) => void answers.push(answer.body);
    for (const marketplace of MARKETPLACES) {
      keep(await shop.post(`/api/connections/${marketplace}/check`, {}, { headers: { cookie: boss } }));
      await readAndSend(marketplace);
      expect(answers.at(-1), marketplace).toContain('[removed]');
    }
    keep(await shop.post('/api/veeqo/check', {}, { headers: { cookie: boss } }));
    keep(await shop.post('/api/veeqo/sync', {}, { headers: { cookie: boss } }));
    await updateAlerts({ ...shop.deps, home: () => 'https://prices.example.com' });
    const emails: string[] = [];
    const mailer = { send: async (email: object): Promise<void> => void emails.push(JSON.stringify(email)) };
    for (const { data } of shop.queue.sent) await sendEmail({ ...shop.deps, mailer }, data as QueuedEmail);
    await aReadyUser(shop, 'ann@example.com');
    const ann = await shop.logIn('ann@example.com');
    for (const cookie of [boss, ann]) {
      for (const url of ['/api/alerts', '/api/connections', '/api/listings'])
        keep(await shop.get(url, cookie));
    }
    const stored = await everyRow(shop.db);
    expect(emails.filter((email) => email.includes('The last sync with')).length).toBeGreaterThan(0);
    expect(stored.filter((row) => row.includes('[removed]')).length).toBeGreaterThan(6);
    for (const shown of [answers, emails, shop.log, stored]) {
      expect(shown.filter((text) => leaksIn(text).length > 0)).toEqual([]);
    }
  });

  test('its message about credentials is for administrators: other users read that it is not connected', async () => {
    const alertsOf = async (cookie: string): Promise<{ kind: string; message: string }[]> =>
      (await shop.get('/api/alerts', cookie)).json().alerts;
    const seen = (await alertsOf(boss)).filter(({ kind }) => kind === 'connection');
    expect(seen.map(({ message }) => message).join()).toContain('[removed]');
    const shown = (await alertsOf(await shop.logIn('ann@example.com'))).filter(
      ({ kind }) => kind === 'connection' || kind === 'sending_stuck',
    );
    expect(shown.filter(({ kind }) => kind === 'connection')).toHaveLength(seen.length);
    expect(shown.map(({ message }) => message).join()).not.toMatch(/says|\[removed\]|401/);
  });
});

/** Syncs everything from a marketplace, and records its response to a price. */
async function readAndSend(marketplace: Marketplace): Promise<void> {
  const state = await shop.deps.connections.stateOf(marketplace);
  if (state.kind !== 'connected') throw new Error(`${marketplace} is ${state.kind}`);
  const { connection } = state;
  const { connector, account } = connection;
  const id = await addListing(shop.db, `A-${marketplace}`, { marketplace });
  for (const kind of syncKindsOf(marketplace)) {
    const due = { kind, checkInterval: 60, requestedAt: null };
    await runSync({ db: shop.db, now: shop.deps.now }, { connection, signal: never }, due);
  }
  const price = cents(2_199);
  const at = shop.deps.now();
  await shop.db.insert(priceIntents).values({
    listingId: id,
    marketplace,
    sequence: 1,
    state: 'sent',
    price,
    fromPrice: cents(2_000),
    marginFloor: cents(1_000),
    reason: 'x',
    source: 'rule',
    idempotencyKey: marketplace,
    createdAt: at,
    sentAt: at,
    expiresAt: instant(at + hours(1)),
  });
  const intents = await readUnconfirmed(shop.db, [id]);
  const ref = { ...REF, listingId: id };
  const order = {
    ref,
    price,
    currentPrice: cents(2_000),
    ownPrices: [],
    sequence: 1,
    idempotencyKey: 'k',
    isUrgent: true,
    notAfter: instant(NOW + hours(9)),
  };
  const outcomes = await connector.sendPrices(account, [order], never);
  const onUnexpectedError = (error: unknown) => expect.fail(String(error));
  const desk = { ...shop.deps, owner: 'one', release: '1', onUnexpectedError };
  const { finalRefusals } = connector;
  await recordOutcomes(desk, { intents, at }, outcomes, { marketplace, finalRefusals });
}
