import { beforeAll, describe, expect, test } from 'vitest';
import { type SessionCheck, sessionChecker } from './check-sessions.ts';
import { documentsFolder } from './document-files.ts';
import type { Service } from './exchange.ts';
import { runSessions, type Session } from './session.ts';

/** Without the documents the sessions run but are not checked. */
const DOCUMENTS = documentsFolder();
const SERVICES: readonly Service[] = ['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify', 'veeqo'];

let sessions: ReadonlyMap<Service, Session>;
let check: ((session: Session) => SessionCheck) | null;
beforeAll(async () => {
  sessions = new Map((await runSessions()).map((session) => [session.service, session]));
  check = DOCUMENTS === null ? null : sessionChecker(DOCUMENTS);
});

function sessionOf(service: Service): Session {
  const session = sessions.get(service);
  if (session === undefined) throw new Error(`No session with ${service}.`);
  return session;
}

describe.each(SERVICES)('the connector of %s', (service) => {
  test('makes all its calls against the sandbox, and each returns data', () => {
    const { found, exchanges } = sessionOf(service);
    expect(exchanges.length).toBeGreaterThan(1);
    for (const [what, count] of Object.entries(found))
      expect({ what, count }).not.toEqual({ what, count: 0 });
  });

  test.skipIf(service === 'veeqo')('every price that was taken is live afterwards', () => {
    const { taken, live } = sessionOf(service).found;
    expect({ taken, live }).toEqual({ taken: 5, live: 5 });
  });

  test.skipIf(DOCUMENTS === null)('asks and is answered as the official documents say', () => {
    expect(check?.(sessionOf(service)).unexplained).toEqual([]);
  });
});

describe.skipIf(DOCUMENTS === null)('the check itself', () => {
  const spoilt = (service: Service, from: string, to: string, side: 'requestBody' | 'responseBody') => {
    const session = sessionOf(service);
    const exchanges = session.exchanges.map((each) => ({ ...each, [side]: each[side].replaceAll(from, to) }));
    return check?.({ ...session, exchanges }).unexplained ?? [];
  };

  test.each<[Service, string, string, 'requestBody' | 'responseBody']>([
    ['amazon', '"sku":"', '"sku":7,"was":"', 'responseBody'],
    ['walmart', '"currency":"USD"', '"currency":7', 'requestBody'],
    ['etsy', '"listing_id":', '"listing_id":"x","was":', 'responseBody'],
    // Member names, in simple objects and in composed ones.
    ['ebay', '"currency":"USD"', '"curency":"USD"', 'responseBody'],
    ['etsy', '"results":', '"result":', 'responseBody'],
    ['amazon', '"Shipping":', '"shipping":', 'responseBody'],
    ['amazon', '"CustomerType":', '"CustomType":', 'requestBody'],
    ['shopify', 'pageInfo', 'pageNews', 'requestBody'],
    ['shopify', '"hasNextPage":false', '"hasNextPage":null', 'responseBody'],
  ])('finds what is wrong in the session with %s: %s', (service, from, to, side) => {
    expect(spoilt(service, from, to, side)).not.toEqual([]);
  });
});
