import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { users } from './accounts.ts';

/** The lists whose views can be saved. */
export const VIEW_LISTS = ['listings', 'history', 'skus'] as const;

/** Columns and row height, as the browser arranges them. */
export interface StoredLayout {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  readonly shown?: readonly string[] | undefined;
  readonly widths: Readonly<Record<string, number>>;
  readonly density: 'comfortable' | 'default' | 'compact' | null;
}

/** A saved view of a list. Deleted with its owner; a deleted one is only marked, for Undo. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: text('list', { enum: VIEW_LISTS }).notNull(),
    name: text('name').notNull(),
    /** The list's URL parameters: search, filters, order. */
    query: jsonb('query').$type<Readonly<Record<string, string>>>().notNull(),
    layout: jsonb('layout').$type<StoredLayout>().notNull(),
    /** Visible to all users; only its owner and administrators change it. */
    isShared: boolean('is_shared').notNull().default(false),
    /** Counts saves: a stale one is rejected. */
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    uniqueIndex('saved_views_key')
      .on(t.ownerId, t.list, sql`lower(${t.name})`)
      .where(sql`${t.deletedAt} is null`),
    index('saved_views_shared_idx').on(t.list).where(sql`${t.isShared} and ${t.deletedAt} is null`),
    isOneOf(t.list, VIEW_LISTS),
    isFilled(t.name, 80),
  ],
);
