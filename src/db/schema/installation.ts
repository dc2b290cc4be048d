import { sql } from 'drizzle-orm';
import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { holds, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { ROLLBACK_KINDS } from '#domain/data-rollback.ts';

/**
 * One row, inserted by the first heartbeat of the engine and updated by each: with it, and with a file in the data
 * folder, a restored backup is detected. Nothing else may write it.
 */
export const installation = pgTable(
  'installation',
  {
    id: text('id').primaryKey().default('default'),
    /** Random: identifies the database that the file in a data folder belongs to. */
    name: text('name').notNull(),
    /** Rises with every heartbeat, and far beyond any file when a backup was restored. */
    number: bigint('number', { mode: 'number' }).notNull(),
    /** The last heartbeat, by the clock of the engine. */
    beatAt: instant('beat_at').notNull(),
    /** The heartbeat file in the data folder; null where the database is not in that folder. */
    file: text('file'),
    /** The transaction that wrote this row. A row restored from a dump was written by another one. */
    writtenBy: text('written_by').notNull(),
    /** Why marketplaces were last reset to recommend only, when, and the last heartbeat before that. */
    rollbackKind: text('rollback_kind', { enum: ROLLBACK_KINDS }),
    rollbackAt: instant('rollback_at'),
    knownUntil: instant('known_until'),
  },
  (t) => [
    holds('one_row', sql`${t.id} = 'default'`),
    isFilled(t.name, 100),
    holds('number_range', sql`${t.number} between 1 and 9007199254740991`),
    isFilled(t.file, 100),
    isFilled(t.writtenBy, 20),
    isOneOf(t.rollbackKind, ROLLBACK_KINDS),
    holds(
      'rollback_whole',
      sql`(${t.rollbackKind} is null) = (${t.rollbackAt} is null) and (${t.rollbackKind} is null) = (${t.knownUntil} is null)`,
    ),
  ],
);
