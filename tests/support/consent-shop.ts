import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { createEbay } from '#connectors/ebay/ebay.ts';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import type { Consented } from '#domain/connections/credentials.ts';
import { type Instant, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import { createWorld } from '#sandbox/world/world.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { adminByLink } from './people.ts';
import { settingsPage } from './settings-app.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/** A store with simulated marketplaces that require consent, on one clock; the credentials of their apps are stored. */
export interface ConsentShop {
  readonly shop: TestApp;
  readonly sandbox: Sandbox;
  /** The administrator's cookie. */
  readonly boss: string;
  /** Changes stored members of marketplaces. */
  readonly save: (over: Record<string, object>) => Promise<void>;
  close(): Promise<void>;
}

export async function openConsentShop(over: Partial<AppDeps> = {}): Promise<ConsentShop> {
  const startedAt = Date.UTC(2026, 0, 15, 12);
  // The clock of the shop, which is not made yet.
  const clock: { now: () => Instant } = { now: () => instant(startedAt) };
  const now = (): Instant => clock.now();
  const world = createWorld(sampleWorld('consents', instant(startedAt)));
  const sandbox = await startSandbox({ world, port: 0, now });
  const { addresses, credentials } = sandbox;
  const shop = await createTestApp({
    connectors: {
      ebay: createEbay({ baseUrl: addresses.ebay, now }),
      etsy: createEtsy({ baseUrl: addresses.etsy, now }),
    },
    ...over,
  });
  clock.now = shop.deps.now;
  const boss = await adminByLink(shop);
  const page = settingsPage(shop, boss);
  const save: ConsentShop['save'] = async (members) => {
    const saved = await page.save(await page.withMarkets(members));
    if (saved.statusCode !== 200) throw new Error(saved.body);
  };
  const { appId, certId, ruName } = credentials.ebay;
  const { keystring, sharedSecret } = credentials.etsy;
  await save({
    ebay: { enabled: true, appId, certId, ruName },
    etsy: { enabled: true, keystring, sharedSecret },
  });
  return {
    shop,
    sandbox,
    boss,
    save,
    close: async () => {
      await shop.close();
      await sandbox.close();
    },
  };
}

/** Answers a consent page as a person does. @returns the address that the browser is led to */
export async function answerPage(page: string, link: 'Agree and continue' | 'No thanks'): Promise<string> {
  const html = await (await fetch(page)).text();
  const href = new RegExp(`<a href="([^"]+)">${link}<`).exec(html)?.[1];
  if (href === undefined) throw new Error(`no "${link}" on ${html}`);
  const address = href.replaceAll(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)));
  const led = await fetch(address, { redirect: 'manual' });
  const location = led.headers.get('location');
  if (location === null) throw new Error(`led nowhere: ${led.status} ${await led.text()}`);
  return location;
}

/** The page that a session is sent to. */
async function startAt(shop: TestApp, marketplace: Consented, cookie: string): Promise<string> {
  const answer = await shop.post(`/api/connections/${marketplace}/consent`, undefined, {
    headers: { cookie },
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<{ address: string }>().address;
}

/** The calls of a session about its consents, in short. */
export interface ConsentCalls {
  begin(marketplace: Consented, cookie?: string): Promise<string>;
  /** Goes there and agrees. @returns the address that the browser is led to */
  agree(marketplace: Consented): Promise<string>;
  bring(marketplace: Consented, address: string, cookie?: string): Promise<LightMyRequestResponse>;
  /** Who is on the way, as the database has it. */
  rows(): Promise<OnTheWay[]>;
}
type OnTheWay = Readonly<Record<'state_hash' | 'verifier_encrypted' | 'return_to', string>>;

/** @param open the shop of the moment: tests open a new one each */
export function consentCalls(open: () => ConsentShop): ConsentCalls {
  const begin: ConsentCalls['begin'] = (marketplace, cookie = open().boss) =>
    startAt(open().shop, marketplace, cookie);
  return {
    begin,
    agree: async (marketplace) => answerPage(await begin(marketplace), 'Agree and continue'),
    bring: (marketplace, address, cookie = open().boss) =>
      open().shop.post(
        `/api/connections/${marketplace}/consent/answer`,
        { address },
        { headers: { cookie } },
      ),
    rows: async () => {
      const found = await open().shop.db.execute<OnTheWay>(
        sql`SELECT state_hash, verifier_encrypted, return_to FROM consents`,
      );
      return found.rows;
    },
  };
}
