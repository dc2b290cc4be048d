import { zipSync } from 'fflate';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { type TestClock, testClock } from './connector-fixture.ts';
import { type FakeService, limitsFor, startFakeService } from './fake-service.ts';

type Rows = Record<string, unknown>[];

/** Walmart's answers as far as the connector uses them. Tests fill the lists, or write routes of their own. */
export interface FakeWalmart extends FakeService {
  readonly clock: TestClock;
  readonly items: Rows;
  readonly catalog: Rows;
  readonly quality: Rows;
  readonly insights: Rows;
  /** Tokens that were given out. */
  tokens: number;
  connect(limits?: { whole?: number; attempts?: number }): ReturnType<typeof createWalmart>;
  /** What was asked of a path, without tokens. */
  askedOf(path: RegExp): FakeService['asked'];
  /** Answers the three steps of a report with this text, zipped. */
  serveReport(csv: string): void;
}

export const WALMART_PAIR = { clientId: 'client-1', clientSecret: 'secret-1' };

export async function startFakeWalmart(): Promise<FakeWalmart> {
  const service = await startFakeService();
  const clock = testClock();
  const lists = { items: [] as Rows, catalog: [] as Rows, quality: [] as Rows, insights: [] as Rows };
  const fake: FakeWalmart = {
    ...service,
    ...lists,
    clock,
    tokens: 0,
    connect: (limits = {}) =>
      createWalmart({
        baseUrl: service.url,
        limits: { ...limitsFor(service.faults), ...limits },
        now: clock.now,
        wait: clock.wait,
      }),
    askedOf: (path) => service.asked.filter((requested) => path.test(requested.path)),
    serveReport: (csv) => serveReport(service, csv),
  };
  service.on('POST', /^\/v3\/token$/, ({ headers }) => {
    const pair = `${WALMART_PAIR.clientId}:${WALMART_PAIR.clientSecret}`;
    const isRight = headers.authorization === `Basic ${Buffer.from(pair).toString('base64')}`;
    if (!isRight)
      return { status: 400, body: { error: [{ code: 'INVALID_REQUEST', description: 'Wrong pair.' }] } };
    fake.tokens += 1;
    return { body: { access_token: `token-${fake.tokens}`, token_type: 'Bearer', expires_in: 900 } };
  });
  service.on('GET', /^\/v3\/token\/detail$/, () => ({ body: { scopes: { price: 'full_access' } } }));
  service.on('GET', /^\/v3\/items\?/, ({ query }) => {
    const from = Number(query.get('nextCursor')?.replace(/\D/g, '') || 0);
    const sku = query.get('sku');
    if (sku !== null) return { body: { ItemResponse: lists.items.filter((one) => one.sku === sku) } };
    const page = lists.items.slice(from, from + 50);
    const isMore = from + 50 < lists.items.length;
    return {
      body: {
        ItemResponse: page,
        totalItems: lists.items.length,
        ...(isMore ? { nextCursor: `at-${from + 50}` } : {}),
      },
    };
  });
  service.on('GET', /^\/v3\/items\/[^?]+\?productIdType=SKU$/, ({ path }) => {
    const sku = decodeURIComponent(path.slice('/v3/items/'.length).split('?')[0] ?? '');
    const item = lists.items.find((one) => one.sku === sku);
    return item === undefined ? { status: 404, body: { errors: [] } } : { body: { ItemResponse: [item] } };
  });
  service.on('POST', /^\/v3\/items\/catalog\/search/, ({ query }) => {
    const from = Number(query.get('page') ?? 0) * 200;
    return { body: { payload: lists.catalog.slice(from, from + 200), totalItems: lists.catalog.length } };
  });
  service.on('POST', /listingQuality/, () => ({ body: { payload: lists.quality } }));
  service.on('POST', /getPricingInsights/, ({ json }) => {
    const sku = (json as { searchCriteria?: { searchValue: string } }).searchCriteria?.searchValue;
    const rows = sku === undefined ? lists.insights : lists.insights.filter((row) => row.sku === sku);
    return { body: { pageContext: { totalPages: 1 }, pricingInsightsResponseList: rows } };
  });
  service.on('PUT', /^\/v3\/price$/, ({ json }) => ({
    body: { mart: 'WALMART_US', sku: (json as { sku: string }).sku, message: 'Taken.' },
  }));
  service.on('POST', /^\/v3\/feeds/, () => ({ body: { feedId: 'FEED-1@AB' } }));
  service.on('GET', /^\/v3\/orders/, () => ({ body: { list: { meta: {}, elements: { order: [] } } } }));
  return fake;
}

function serveReport(service: FakeService, csv: string): void {
  const status = (requestStatus: string) => ({ body: { requestId: 'R1', requestStatus } });
  let looks = 0;
  service.on('POST', /^\/v3\/reports\/reportRequests/, () => status('RECEIVED'));
  service.on('GET', /^\/v3\/reports\/reportRequests\/R1$/, () =>
    status(++looks < 3 ? 'INPROGRESS' : 'READY'),
  );
  service.on('GET', /^\/v3\/reports\/downloadReport/, () => ({
    body: { downloadURL: `${service.url}/files/r1.zip` },
  }));
  service.on('GET', /^\/files\/r1\.zip$/, () => (response) => {
    response.writeHead(200, { 'content-type': 'application/zip' });
    response.end(Buffer.from(zipSync({ 'report.csv': Buffer.from(csv) })));
  });
}

export function anItem(number: number, given: Record<string, unknown> = {}) {
  return {
    mart: 'WALMART_US',
    sku: `SKU-${number}`,
    wpid: `WP${number}`,
    productName: `Mug ${number}`,
    price: { currency: 'USD', amount: 12.5 },
    publishedStatus: 'PUBLISHED',
    lifecycleStatus: 'ACTIVE',
    ...given,
  };
}
