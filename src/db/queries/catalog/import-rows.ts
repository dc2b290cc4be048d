import { type SQL, sql } from 'drizzle-orm';

/** Values of one row as PostgreSQL reads them: "19.99", "true"; null is null. */
export type TextRow = Readonly<Record<string, string | null>>;

/**
 * Rows as a table of a statement, one array for each column, however many rows there are.
 * @param name of the table in the statement
 * @param types of its columns, in PostgreSQL's words
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
