import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf, isPrice } from '#db/checks.ts';
import { instant, money } from '#db/columns.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
import type { ColumnSamples } from '#domain/written/column-samples.ts';
import type { DayOrder } from '#domain/written/day-order.ts';
import type { WeightUnit } from '#domain/written/weight-units.ts';
import { jobs } from './jobs.ts';

export const IMPORT_KINDS = ['skus', 'listings', 'bundles', 'tiers', 'rules', 'offers', 'fees'] as const;
export const IMPORT_SOURCES = ['own', 'amazon', 'walmart', 'shopify', 'ebay', 'etsy'] as const;
/** `uploading`: its bytes are still arriving; it is not listed yet. */
export const IMPORT_STATES = [
  'uploading',
  'uploaded',
  'checking',
  'checked',
  'importing',
  'done',
  'failed',
] as const;
export const IMPORT_ROW_STATUSES = ['create', 'update', 'unchanged', 'rejected'] as const;

/** The same error in many rows. */
export interface FoundGroup {
  readonly column: string | null;
  readonly problem: string;
  readonly fix: string;
  readonly count: number;
  readonly firstLines: readonly number[];
  /** These rows are rejected only because other rows of their groups are. */
  readonly isSecondary?: true;
}

export interface FoundSeller {
  readonly marketplace: string;
  readonly key: string;
  readonly name: string;
  readonly offers: number;
}

/** A listing that a changed cost puts below its margin floor. Money is "12.50", a margin percent "-7.25". */
export interface FallingListing {
  readonly marketplace: string;
  readonly sku: string;
  readonly title: string;
  readonly currentPrice: string;
  readonly floorBefore: string | null;
  readonly floorAfter: string;
  readonly marginBefore: string | null;
  readonly marginAfter: string | null;
}

const JUMP_FIELDS = ['productCost', 'weight'] as const;

/** A cost or weight that changes by a factor of 3 or more. */
export interface CostJump {
  readonly sku: string;
  readonly name: string;
  readonly field: (typeof JUMP_FIELDS)[number];
  readonly from: string;
  readonly to: string;
}

/** A rule, and how many of the listings it prices. */
export interface TouchedRule {
  readonly name: string;
  readonly listings: number;
}

/** Effect of changed costs on listings. */
export interface FoundEffect {
  /** Listings whose cost changes. */
  readonly listings: number;
  readonly fallingCount: number;
  /** Listings whose cost would become unknown. */
  readonly unknownCount: number;
  /** The first of them, largest drops first. */
  readonly falling: readonly FallingListing[];
  /** The rules of these listings, those with most of them first; missing in checks of earlier versions. */
  readonly rules?: readonly TouchedRule[];
  readonly jumpCount: number;
  readonly jumps: readonly CostJump[];
}

/** Listings of live marketplaces whose lowest allowed price falls by more than 20%. */
export interface LoweredFloors {
  readonly count: number;
  /** The first of them, largest drops first; prices are whole cents. */
  readonly worst: readonly {
    readonly listingId: number;
    readonly marketplace: Marketplace;
    readonly sku: string;
    readonly from: Cents;
    readonly to: Cents;
  }[];
}

/** Findings of the check, and then of the import; written with each batch. */
export interface StoredFindings {
  /** Number of rows that are done, from the top: an interrupted import continues after them. */
  readonly cursor: number;
  readonly counts: Readonly<Record<'rows' | (typeof IMPORT_ROW_STATUSES)[number], number>>;
  readonly groups: readonly FoundGroup[];
  readonly notes: readonly string[];
  readonly sellers: readonly FoundSeller[];
  /** SKUs, and only from the check; missing if no cost changes. */
  readonly effect?: FoundEffect;
  /** Drops of lowest allowed prices that the check found; missing if there are none. */
  readonly lowered?: LoweredFloors;
  /** New and changed rules with hours, days or dates; missing if there are none. */
  readonly timedRules?: number;
  /** Set by a check that recorded everything its import must match; checks of earlier versions did not. */
  readonly isHeld?: true;
  /** How many parts of the file of rejected rows are written. */
  readonly rejectedParts: number;
}

/** How cells are parsed where the file leaves it open. What is missing is parsed as in our own files. */
export interface StoredReadings {
  readonly weightUnit?: WeightUnit | undefined;
  readonly decimalMark?: 'point' | 'comma' | undefined;
  readonly dayOrder?: DayOrder | undefined;
  /** The zone of times that have none. */
  readonly timeZone?: string | undefined;
  /** `share`: a number such as 0.15 is 15%, in columns of percentages that have no other numbers. */
  readonly percentForm?: 'percent' | 'share' | undefined;
  /** SKUs: whether the file replaces a known cost or weight. */
  readonly known?: 'keep' | 'replace' | undefined;
}

/** How the columns of a file were chosen. */
export interface ChosenFrom {
  /** Our columns that are read from one of another name, and that no user has confirmed yet. */
  readonly guessed: readonly string[];
  /** Who chose so for the same headings before, and when (milliseconds); null if only the headings decided. */
  readonly remembered: { readonly by: string; readonly at: number } | null;
  readonly separator: string;
  /** Names of columns and readings that a user chose for the same headings before. Missing in old imports. */
  readonly asked?: readonly string[];
}

/** How a file is laid out, as its upload found it. Missing where it is like our own files. */
export interface StoredLayout {
  /** UTF-8 and UTF-16 need no mention. */
  readonly encoding?: 'windows-1252';
  /** Lines above the header. */
  readonly titleLines?: number;
  /** Lines of totals below the last row, from 1. */
  readonly totalLines?: readonly number[];
  /** Rows without blank ones and totals. */
  readonly rows?: number;
}

/** Details of a sampled line. */
export interface StoredLine {
  /** Name or title of the row's subject. */
  readonly title?: string | null;
  readonly changes?: readonly { field: string; from: string | null; to: string | null }[];
  readonly problems?: readonly {
    column: string | null;
    value: string | null;
    problem: string;
    fix: string;
  }[];
}

/** An uploaded file, from its upload to its report. Kept for 30 days. */
export const imports = pgTable(
  'imports',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', { enum: IMPORT_KINDS }).notNull(),
    source: text('source', { enum: IMPORT_SOURCES }).notNull().default('own'),
    fileName: text('file_name').notNull(),
    /** Bytes. */
    size: integer('size').notNull().default(0),
    state: text('state', { enum: IMPORT_STATES }).notNull(),
    header: text('header').array().notNull().default(sql`'{}'::text[]`),
    /** The first rows, cell by cell. */
    preview: jsonb('preview').$type<readonly (readonly string[])[]>().notNull().default(sql`'[]'::jsonb`),
    /** How each column of the file writes its numbers and days, over all rows, by its position from 0. */
    numbers: jsonb('numbers')
      .$type<Readonly<Record<string, ColumnSamples>>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    /** For each of our columns the column of the file it is read from, from 0. */
    mapping: jsonb('mapping')
      .$type<Readonly<Record<string, number | null>>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    /** Values for columns that the file lacks. */
    defaults: jsonb('defaults').$type<Readonly<Record<string, string>>>().notNull().default(sql`'{}'::jsonb`),
    chosenFrom: jsonb('chosen_from')
      .$type<ChosenFrom>()
      .notNull()
      .default(sql`'{"guessed": [], "remembered": null, "separator": ","}'::jsonb`),
    layout: jsonb('layout').$type<StoredLayout>().notNull().default(sql`'{}'::jsonb`),
    readings: jsonb('readings').$type<StoredReadings>().notNull().default(sql`'{}'::jsonb`),
    /** Quotes are part of the text, as in Amazon's reports. */
    rawQuotes: boolean('raw_quotes').notNull().default(false),
    error: text('error'),
    findings: jsonb('findings').$type<StoredFindings>(),
    allOrNothing: boolean('all_or_nothing').notNull().default(false),
    /** The job that is checking or importing it, or did so last. */
    jobId: bigint('job_id', { mode: 'number' }).references(() => jobs.id, { onDelete: 'set null' }),
    /** When the import started: the time of what it writes, also after an interruption. */
    startedAt: instant('started_at'),
    createdById: text('created_by_id'),
    createdBy: text('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('imports_created_at_idx').on(t.createdAt),
    isOneOf(t.kind, IMPORT_KINDS),
    isOneOf(t.source, IMPORT_SOURCES),
    isOneOf(t.state, IMPORT_STATES),
    isFilled(t.fileName, 255),
    isCount(t.size),
    holds('failure_says_why', sql`${t.state} <> 'failed' or ${t.error} is not null`),
  ],
);

/** Columns chosen for files of a kind with the same headings; the next such file starts with them. */
export const importChoices = pgTable(
  'import_choices',
  {
    kind: text('kind', { enum: IMPORT_KINDS }).notNull(),
    /** SHA-256 over the separator and the headings, without regard to case, spaces, underscores and order. */
    headerKey: text('header_key').notNull(),
    /** For each of our columns the heading it is read from, without case, spaces and underscores. */
    columns: jsonb('columns').$type<Readonly<Record<string, string | null>>>().notNull(),
    /** Names of columns and readings that a user chose because the file left them open; never the choice itself. */
    answered: text('answered').array().notNull(),
    chosenBy: text('chosen_by').notNull(),
    chosenAt: instant('chosen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.headerKey] }), isOneOf(t.kind, IMPORT_KINDS)],
);

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** A file in parts of about one megabyte: any process on any machine can continue with it. */
export const importChunks = pgTable(
  'import_chunks',
  {
    importId: bigint('import_id', { mode: 'number' })
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** The upload, or its rejected rows with their errors. */
    part: text('part', { enum: ['file', 'rejected'] }).notNull(),
    number: integer('number').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.part, t.number] }),
    isOneOf(t.part, ['file', 'rejected']),
    isCount(t.number),
  ],
);

/** Samples of what would happen, or has happened, to the rows of a file. */
export const importLines = pgTable(
  'import_lines',
  {
    importId: bigint('import_id', { mode: 'number' })
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    status: text('status', { enum: IMPORT_ROW_STATUSES }).notNull(),
    number: integer('number').notNull(),
    line: integer('line').notNull(),
    /** "walmart A-1" */
    label: text('label').notNull(),
    details: jsonb('details').$type<StoredLine>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.status, t.number] }),
    isOneOf(t.status, IMPORT_ROW_STATUSES),
    isCount(t.number),
    isCount(t.line, 1),
  ],
);

/** Lowest allowed prices that a file would lower, by any amount, as its check has shown them. */
export const importFalls = pgTable(
  'import_falls',
  {
    importId: bigint('import_id', { mode: 'number' })
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    listingId: bigint('listing_id', { mode: 'number' }).notNull(),
    before: money('before').notNull(),
    /** The lowest that any part of the file lowers it to. */
    after: money('after').notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.listingId] }), isPrice(t.before), isPrice(t.after)],
);

/**
 * Costs and weights that a file changes by a factor of 3 or more, as its check has shown them; values as the file has
 * them.
 */
export const importJumps = pgTable(
  'import_jumps',
  {
    importId: bigint('import_id', { mode: 'number' })
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    sku: text('sku').notNull(),
    field: text('field', { enum: JUMP_FIELDS }).notNull(),
    before: text('before').notNull(),
    after: text('after').notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.sku, t.field] }), isOneOf(t.field, JUMP_FIELDS)],
);
