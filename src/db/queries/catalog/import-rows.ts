import { type SQL, sql } from 'drizzle-orm';

/** Values of one row as PostgreSQL reads them: "19.99", "true"; null is null. */
export type TextRow = Readonly<Record<string, string | null>>;

/**
 * Rows as a table in a statement: one array parameter for each column, for any number of rows.
 * @param name of the table in the statement
 * @param types PostgreSQL types of its columns
 */
export function rowsTable(
  name: string,
  types: Readonly<Record<string, string>>,
  rows: readonly TextRow[],
): SQL {
  const columns = Object.keys(types);
  const arrays = columns.map(
    (column) =>
      sql`${sql.param(rows.map((row) => row[column] ?? null))}::text[]::${sql.raw(types[column] ?? 'text')}[]`,
  );
  const names = columns.map((column) => `"${column}"`).join(', ');
  return sql`unnest(${sql.join(arrays, sql`, `)}) AS ${sql.raw(name)} (${sql.raw(names)})`;
}
