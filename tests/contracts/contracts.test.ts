import { beforeAll, describe, expect, test } from 'vitest';
import { sessionChecker, type Verdict } from './check-sessions.ts';
import type { Service } from './exchange.ts';
import { runSessions, type Session } from './session.ts';

/** A folder with the official documents of the services; without it the sessions run and nothing is held against them. */
const DOCUMENTS = process.env.PRICEWRIGHT_CONTRACTS;
const SERVICES: readonly Service[] = ['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify', 'veeqo'];

let sessions: ReadonlyMap<Service, Session>;
let check: ((session: Session) => Verdict) | null;
beforeAll(async () => {
  sessions = new Map((await runSessions()).map((session) => [session.service, session]));
  check = DOCUMENTS === undefined ? null : sessionChecker(DOCUMENTS);
}, 120_000);

function sessionOf(service: Service): Session {
  const session = sessions.get(service);
  if (session === undefined) throw new Error(`No session with ${service}.`);
  return session;
}

describe.each(SERVICES)('the connector of %s', (service) => {
  test('does all that it can against the sandbox, and finds something each time', () => {
    const { found, exchanges } = sessionOf(service);
    expect(exchanges.length).toBeGreaterThan(1);
    for (const [what, count] of Object.entries(found))
      expect({ what, count }).not.toEqual({ what, count: 0 });
  });

  test.skipIf(service === 'veeqo')('every price that was taken is live afterwards', () => {
    const { taken, live } = sessionOf(service).found;
    expect({ taken, live }).toEqual({ taken: 5, live: 5 });
  });

  test.skipIf(DOCUMENTS === undefined)('asks and is answered as the official documents say', () => {
    expect(check?.(sessionOf(service)).unexplained).toEqual([]);
  });
});
