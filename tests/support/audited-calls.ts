import { sql } from 'drizzle-orm';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { AuditAction } from '#domain/audit-actions.ts';
import { ACCOUNT_CALLS } from './audited-account-calls.ts';
import { FILE_CALLS } from './audited-file-calls.ts';
import { SHOP_CALLS } from './audited-shop-calls.ts';
import { FAKE_MIGRATION, fakeConnector, fakeConsent } from './fake-connector.ts';
import { fakeIdentityProvider } from './fake-identity-provider.ts';
import { createPricedShop, type PricedShop } from './priced-shop.ts';
import type { TestApp } from './test-app.ts';
import { asOwner } from './test-database.ts';

/** A shop in which one call after the other is made, and what the calls before have left to go by. */
export interface Scene extends PricedShop {
  /** Ids and tokens by name. */
  readonly known: Map<string, string>;
  /** Passwords, keys and tokens that were sent or made: none may ever stand in the log. */
  readonly secrets: Set<string>;
  know(name: string): string;
}

type Sent = { readonly url: string; readonly payload?: object; readonly over?: InjectOptions };

/** A call that changes something or takes data away, and the rows of the audit log that it writes. */
export interface AuditedCall {
  /** "PUT /api/rules/:id" */
  readonly route: string;
  readonly writes: readonly AuditAction[];
  /** Missing if the address has no variable parts and no body is sent. */
  readonly ready?: (scene: Scene) => Promise<Omit<Sent, 'url'> & { readonly url?: string }>;
  /** The other things it wrote are overwritten by a transaction of its own before it responds. */
  readonly isWrittenOver?: true;
  /** Keeps what later calls need. */
  readonly keep?: (scene: Scene, answer: LightMyRequestResponse) => Promise<void> | void;
}

/** In the order in which they are made: each finds what those before have left. */
export const AUDITED_CALLS: readonly AuditedCall[] = [...SHOP_CALLS, ...FILE_CALLS, ...ACCOUNT_CALLS];

export async function openScene(): Promise<Scene> {
  const shop = await createPricedShop({
    connectors: {
      michaels: fakeConnector('michaels').connector,
      ebay: {
        ...fakeConnector('ebay').connector,
        consent: fakeConsent('v^1.1#canary'),
        migration: FAKE_MIGRATION,
      },
    },
    identityProvider: fakeIdentityProvider(),
    inventory: {
      check: async () => undefined,
      readSkus: async function* onePage() {
        yield [];
      },
    },
  });
  await makeRefusable(shop.app);
  const known = new Map<string, string>();
  return {
    ...shop,
    known,
    secrets: new Set([shop.cookie.split('=')[1] ?? '']),
    know: (name) => {
      const value = known.get(name);
      if (value === undefined) throw new Error(`No call before has left a ${name}.`);
      return value;
    },
  };
}

/** Makes a call as its route says; as the administrator unless it says otherwise. */
export async function make(
  { app, cookie }: Scene,
  { route }: AuditedCall,
  { url, payload, over }: Sent,
): Promise<LightMyRequestResponse> {
  const [method] = route.split(' ');
  return app.post(url, payload, { method: method as 'GET', headers: { cookie }, ...over });
}

/** Lock that makes the log reject rows. A trigger per call would invalidate all query plans. */
const NO_AUDIT = "hashtext('no row today')";

/** Lets the log reject its rows while the lock is held. */
async function makeRefusable({ db }: TestApp): Promise<void> {
  await asOwner(
    db,
    `CREATE FUNCTION no_audit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN
        IF NOT pg_try_advisory_xact_lock_shared(${NO_AUDIT}) THEN RAISE EXCEPTION 'no row today'; END IF;
        RETURN NULL;
      END $$;
    CREATE TRIGGER no_audit BEFORE INSERT ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION no_audit()`,
  );
}

/** Makes a call while no row can be written into the audit log. */
export async function withoutAudits<T>({ app: { db } }: Scene, call: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql.raw(`SELECT pg_advisory_xact_lock(${NO_AUDIT})`));
    return call();
  });
}

/** Columns that change even if a call fails: the last used code, and the time of the last request. */
const NOTED = "- 'two_factor_last_step' - 'last_seen_at'";

/** Everything that is stored, as one hash by table; attempts are counted, and a login at the provider is taken, even if a call fails. */
export async function readEverything({ app: { db } }: Scene): Promise<Record<string, string>> {
  const tables = await db.execute<{ name: string }>(sql`SELECT quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('login_attempts', 'provider_logins') ORDER BY 1`);
  // A count and a sum are made as the rows come: rows that are sorted first have PostgreSQL start processes for it.
  const hashes = tables.rows.map(
    ({ name }) => `SELECT '${name}' AS name,
      concat(count(*), ' ', sum(hashtextextended((to_jsonb(t) ${NOTED})::text, 0))) AS hash FROM ${name} t`,
  );
  const { rows } = await db.execute<{ name: string; hash: string }>(sql.raw(hashes.join(' UNION ALL ')));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/** The number of a transaction of now. */
export async function transactionNow({ app: { db } }: Scene): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(sql`SELECT pg_current_xact_id()::text AS id`);
  return rows[0]?.id ?? '';
}

/** Which transactions since then have left rows in the audit log, and which anywhere else; tries aside. */
export async function transactionsSince(
  { app: { db } }: Scene,
  since: string,
): Promise<{ readonly told: ReadonlySet<string>; readonly changed: ReadonlySet<string> }> {
  const tables = await db.execute<{ name: string }>(sql`SELECT quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('login_attempts', 'provider_logins')`);
  const written = tables.rows.map(
    ({ name }) =>
      `SELECT DISTINCT '${name}' AS name, xmin::text AS id FROM ${name} WHERE xmin::text::bigint > ${since}`,
  );
  const { rows } = await db.execute<{ name: string; id: string }>(sql.raw(written.join(' UNION ALL ')));
  const idsOf = (isLog: boolean): Set<string> =>
    new Set(rows.filter(({ name }) => (name === 'audit_log') === isLog).map(({ id }) => id));
  return { told: idsOf(true), changed: idsOf(false) };
}
