import pg from 'pg';
import { type Migration, namesMadeBy } from '#db/migration-files.ts';

/**
 * Tables whose rows are not in a backup: logins, API tokens, links, and authorizations and logins under way, which must not work again after a
 * restore, webhooks, which would be sent again, and who does what at the moment. Which migrations have run is in the manifest.
 */
const EXCLUDED: ReadonlySet<string> = new Set([
  'sessions',
  'api_tokens',
  'one_time_tokens',
  'consents',
  'provider_logins',
  'webhook_deliveries',
  'webhook_attempts',
  'leases',
  'schema_migrations',
]);

export interface TableShape {
  readonly name: string;
  /** Those with stored values of their own, in their order. */
  readonly columns: readonly string[];
}

export interface SequenceState {
  readonly name: string;
  readonly lastValue: string;
  readonly isCalled: boolean;
}

/** The tables of a backup by name. Those of other programs in the same database, and the queue's, are not among them. */
export async function readTableShapes(client: pg.Client, steps: readonly Migration[]): Promise<TableShape[]> {
  const names = namesMadeBy(steps).filter((name) => !EXCLUDED.has(name));
  const { rows } = await client.query<TableShape>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname = ANY($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [names],
  );
  return rows;
}

/** The sequences of these tables and of our own. Read after the rows are fixed, none is behind them. */
export async function readSequences(
  client: pg.Client,
  steps: readonly Migration[],
): Promise<SequenceState[]> {
  const names = namesMadeBy(steps);
  const { rows: found } = await client.query<{ name: string }>(
    `SELECT s.relname AS name FROM pg_class s
       LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid
         AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
       LEFT JOIN pg_class t ON t.oid = d.refobjid
     WHERE s.relkind = 'S' AND s.relnamespace = 'public'::regnamespace
       AND (s.relname = ANY($1) OR t.relname = ANY($1)) ORDER BY s.relname`,
    [names],
  );
  if (found.length === 0) return [];
  const each = found.map(
    ({ name }) =>
      `SELECT ${pg.escapeLiteral(name)} AS name, last_value::text AS "lastValue", is_called AS "isCalled"
       FROM ${pg.escapeIdentifier(name)}`,
  );
  const statement = each.join(' UNION ALL ');
  const { rows } = await client.query<SequenceState>(statement);
  return rows;
}

/** The statement that copies the rows of a table, without the direction. */
export function copyOf({ name, columns }: TableShape): string {
  return `COPY public.${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;
}
