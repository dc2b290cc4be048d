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
import type { DayOrder } from '#domain/day-order.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { NumberMarks } from '#domain/number-marks.ts';
import type { Cents } from '#domain/units.ts';
import type { WeightUnit } from '#domain/weight-units.ts';
import { jobs } from './jobs.ts';

export const IMPORT_KINDS = ['skus', 'listings', 'bundles', 'tiers', 'rules', 'offers', 'fees'] as const;
export const IMPORT_SOURCES = ['own', 'amazon', 'walmart', 'shopify', 'ebay'] as const;
/** `uploading`: its bytes are still coming; nobody is shown it yet. */
export const IMPORT_STATES = [
  'uploading',
  'uploaded',
  'checking',
  'checked',
  'importing',
  'done',
  'failed',
] as const;
export const VERDICTS = ['create', 'update', 'unchanged', 'rejected'] as const;

/** The same mistake in many rows. */
export interface FoundGroup {
  readonly column: string | null;
  readonly problem: string;
  readonly fix: string;
  readonly count: number;
  readonly firstLines: readonly number[];
}

export interface FoundSeller {
  readonly marketplace: string;
  readonly key: string;
  readonly name: string;
  readonly offers: number;
}

/** A listing that a changed cost puts under its lowest legal price. Money is "12.50", a margin percent "-7.25". */
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

/** A cost or weight that becomes many times what it was, or a small part of it. */
export interface CostJump {
  readonly sku: string;
  readonly name: string;
  readonly field: (typeof JUMP_FIELDS)[number];
  readonly from: string;
  readonly to: string;
}

/** What changed costs would do to listings. */
export interface FoundEffect {
  /** Listings whose cost changes. */
  readonly listings: number;
  readonly fallingCount: number;
  /** Listings whose cost would become unknown. */
  readonly unknownCount: number;
  /** The first of them, those that fall farthest. */
  readonly falling: readonly FallingListing[];
  readonly jumpCount: number;
  readonly jumps: readonly CostJump[];
}

/** Listings of armed marketplaces whose lowest allowed price falls by more than 20%. */
export interface LoweredFloors {
  readonly count: number;
  /** The first of them, those that fall farthest; prices are whole cents. */
  readonly worst: readonly {
    readonly listingId: number;
    readonly marketplace: Marketplace;
    readonly sku: string;
    readonly from: Cents;
    readonly to: Cents;
  }[];
}

/** What the check, and then the import itself, has found; written with each batch. */
export interface StoredFindings {
  /** Rows that are dealt with, from the top: an import that was cut off goes on behind them. */
  readonly cursor: number;
  readonly counts: Readonly<Record<'rows' | (typeof VERDICTS)[number], number>>;
  readonly groups: readonly FoundGroup[];
  readonly notes: readonly string[];
  readonly sellers: readonly FoundSeller[];
  /** SKUs, and only from the check; left out where no cost changes. */
  readonly effect?: FoundEffect;
  /** What the check found that the import would do to lowest allowed prices; left out where it found nothing. */
  readonly lowered?: LoweredFloors;
  /** Of a check that wrote down all that its import is held to; one of an earlier version did not. */
  readonly isHeld?: true;
  /** How many parts of the file of rejected rows are written. */
  readonly rejectedParts: number;
}

/** How cells are read where the file does not say it. What is left out is read as our own files write it. */
export interface StoredReadings {
  readonly weightUnit?: WeightUnit | undefined;
  readonly decimalMark?: 'point' | 'comma' | undefined;
  readonly dayOrder?: DayOrder | undefined;
  /** The zone of times that name none. */
  readonly timeZone?: string | undefined;
  /** SKUs: whether the file replaces a cost or weight that is known. */
  readonly known?: 'keep' | 'replace' | undefined;
}

/** Where the columns of a file were chosen from. */
export interface ChosenFrom {
  /** Our columns that are taken from one of another name, and that nobody has looked at yet. */
  readonly guessed: readonly string[];
  /** Who chose so for the same headings before, and when (milliseconds); null for what the headings say themselves. */
  readonly remembered: { readonly by: string; readonly at: number } | null;
  readonly separator: string;
  /** What was answered for the same headings before, by the names of columns and readings. Imports of old have none. */
  readonly asked?: readonly string[];
}

/** What a sampled line is shown with. */
export interface StoredLine {
  /** The name or title of what the row is about. */
  readonly title?: string | null;
  readonly changes?: readonly { field: string; from: string | null; to: string | null }[];
  readonly problems?: readonly {
    column: string | null;
    value: string | null;
    problem: string;
    fix: string;
  }[];
}

/** A file that somebody brought in, from its upload to its report. Kept for 30 days. */
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
    /** How each column of the file writes its numbers, over all rows, by its position from 0. */
    numbers: jsonb('numbers')
      .$type<Readonly<Record<string, NumberMarks>>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    /** From which column of the file each of ours comes, from 0. */
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
    readings: jsonb('readings').$type<StoredReadings>().notNull().default(sql`'{}'::jsonb`),
    /** Quotes are part of the text, as in Amazon's reports. */
    rawQuotes: boolean('raw_quotes').notNull().default(false),
    error: text('error'),
    findings: jsonb('findings').$type<StoredFindings>(),
    allOrNothing: boolean('all_or_nothing').notNull().default(false),
    /** The job that checks or imports it now, or did so last. */
    jobId: bigint('job_id', { mode: 'number' }).references(() => jobs.id, { onDelete: 'set null' }),
    /** When the import itself began: the moment of what it writes, also after it was cut off. */
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

/** Which columns people chose for files of a kind with the same headings; the next such file begins with them, and asks what they answered. */
export const importChoices = pgTable(
  'import_choices',
  {
    kind: text('kind', { enum: IMPORT_KINDS }).notNull(),
    /** SHA-256 over the separator and the headings, without regard to case, spaces, underscores and order. */
    headerKey: text('header_key').notNull(),
    /** By our name the heading that it is taken from, without case, spaces and underscores. */
    columns: jsonb('columns').$type<Readonly<Record<string, string | null>>>().notNull(),
    /** Names of columns and readings that were answered because the file did not say them; never what was answered. */
    answered: text('answered').array().notNull(),
    chosenBy: text('chosen_by').notNull(),
    chosenAt: instant('chosen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.headerKey] }), isOneOf(t.kind, IMPORT_KINDS)],
);

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** A file in parts of about a megabyte: any process on any machine can go on with it. */
export const importChunks = pgTable(
  'import_chunks',
  {
    importId: bigint('import_id', { mode: 'number' })
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** The upload itself, or its rejected rows with what is wrong with them. */
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
    status: text('status', { enum: VERDICTS }).notNull(),
    number: integer('number').notNull(),
    line: integer('line').notNull(),
    /** "walmart A-1" */
    label: text('label').notNull(),
    details: jsonb('details').$type<StoredLine>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.status, t.number] }),
    isOneOf(t.status, VERDICTS),
    isCount(t.number),
    isCount(t.line, 1),
  ],
);

/** Lowest allowed prices that a file would let fall, by however little, as its check has shown them. */
export const importFalls = pgTable(
  'import_falls',
  {
    importId: bigint('import_id', { mode: 'number' })
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    listingId: bigint('listing_id', { mode: 'number' }).notNull(),
    before: money('before').notNull(),
    /** The lowest that any part of the file brings it to. */
    after: money('after').notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.listingId] }), isPrice(t.before), isPrice(t.after)],
);

/** Costs and weights that a file changes by a factor of 3 or more, as its check has shown them; values as the file has them. */
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
