import pg from 'pg';
import { connectionConfig } from './client.ts';
import { SCHEMA_LOCK } from './migrate.ts';
import { migrationsFolder, namesMadeBy, readMigrations } from './migration-files.ts';
import { QUEUE_SCHEMA } from './queue.ts';

/** The role and the database that an address connects to. */
interface Identity {
  readonly role: string;
  readonly database: string;
}

/** Read from the server, since an address may leave both to environment variables. */
export async function identityOf(url: string): Promise<Identity> {
  return connected(url, async (client) => {
    const { rows } = await client.query<Identity>(
      `SELECT current_user AS role, concat(datname, ' ', oid) AS database FROM pg_database
       WHERE datname = current_database()`,
    );
    const [identity] = rows;
    if (identity === undefined) throw new Error('A database does not know its own name.');
    return identity;
  });
}

/** Our tables and sequences. Those of other programs in the same database are not changed. */
interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly isSequence: boolean;
}

const OURS = `
  SELECT c.relnamespace::regnamespace::text AS schema, c.oid::regclass::text AS name, c.relkind = 'S' AS "isSequence"
  FROM pg_class c
    -- The sequence of an identity column: to insert a row needs no right on it, but a backup reads it.
    LEFT JOIN pg_depend d ON c.relkind = 'S' AND d.classid = 'pg_class'::regclass AND d.objid = c.oid
      AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'i'
    LEFT JOIN pg_class t ON t.oid = d.refobjid
  WHERE c.relkind IN ('r', 'p', 'S')
    AND (c.relnamespace = 'public'::regnamespace AND coalesce(t.relname, c.relname) = ANY($1)
      OR c.relnamespace = to_regnamespace($2))`;

/**
 * Grants a role the rights of daily use: to read and write rows, only to insert into append-only tables (of booked money, what it
 * belongs to may be written again), and not to
 * change which migrations have run. Tables, triggers, functions and roles stay the owner's. The grants cover the
 * tables that exist, so they are repeated after every change of the schema.
 * @param ownerUrl address of the database for the owner of its tables
 * @param role another role than the owner
 */
export async function grantDailyUse(ownerUrl: string, role: string): Promise<void> {
  const names = namesMadeBy(await readMigrations(migrationsFolder()));
  await connected(ownerUrl, async (client) => {
    await client.query('BEGIN');
    // Two processes that change the rights of one table at once would fail.
    await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    const { rows } = await client.query<Relation>(OURS, [names, QUEUE_SCHEMA]);
    await client.query(rightsOf(pg.escapeIdentifier(role), rows));
    await client.query('COMMIT');
  });
}

function rightsOf(role: string, ours: readonly Relation[]): string {
  const schemas = [...new Set(ours.map(({ schema }) => schema))].join(', ');
  const named = (isSequence: boolean): string =>
    ours
      .filter((relation) => relation.isSequence === isSequence)
      .map(({ name }) => name)
      .join(', ');
  return `
    DO $$ BEGIN
      -- A temporary table would be found before the real one of its name, such as the audit log.
      EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END $$;
    GRANT USAGE ON SCHEMA ${schemas} TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${named(false)} TO ${role};
    GRANT USAGE, SELECT ON SEQUENCE ${named(true)} TO ${role};
    GRANT SELECT ON schema_migrations TO ${role};
    REVOKE UPDATE, DELETE ON audit_log, price_history, money_events FROM ${role};
    GRANT UPDATE (superseded_by, matched_by, listing_id, counts_alone) ON money_events TO ${role};
    REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM ${role}`;
}

async function connected<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(connectionConfig(url, 'pricewright-migrate'));
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
