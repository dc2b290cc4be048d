import { z } from 'zod';
import { DAY_ORDERS } from '#domain/day-order.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { WEIGHT_UNITS } from '#domain/weight-units.ts';
import { Id, Moment, Money, Zone } from './wire.ts';

export const IMPORT_KINDS = ['skus', 'listings', 'bundles', 'tiers', 'rules', 'offers', 'fees'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Files the listings import knows by their header, besides our own format. */
export const IMPORT_SOURCES = ['own', 'amazon', 'walmart', 'shopify', 'ebay'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

const IMPORT_STATES = ['uploaded', 'checking', 'checked', 'importing', 'done', 'failed'] as const;

/**
 * POST /api/imports?kind=&name= takes the file itself as the body (text/csv, at most 256 MB) and answers this with
 * what its header says. Nothing is written to the catalogue before POST /api/imports/:id/run.
 */
export const UploadQuery = z.strictObject({
  kind: z.enum(IMPORT_KINDS),
  name: z.string().min(1).max(255),
  /** An import whose file is taken once more, for another kind of rows: the body is not read then. */
  from: Id.optional(),
});

/** How cells are read where the file does not say it. What is left out is read as our own files write it. */
const Readings = z.strictObject({
  /** The unit of the weights in the file; they become ounces. */
  weightUnit: z.enum(WEIGHT_UNITS).optional(),
  /** `comma`: 1.299,00 is what is 1,299.00 elsewhere. */
  decimalMark: z.enum(['point', 'comma']).optional(),
  /** Which number of 03/04/2026 is the month. */
  dayOrder: z.enum(DAY_ORDERS).optional(),
  /** The zone of times that name none: "America/New_York". */
  timeZone: Zone.optional(),
  /** SKUs: whether the file replaces a cost or weight that is known, or fills in unknown ones only. */
  known: z.enum(['keep', 'replace']).optional(),
});
export type Readings = z.output<typeof Readings>;

/** What has to be answered before a file can be checked: nothing of it is guessed. */
export const IMPORT_QUESTIONS = ['weightUnit', 'decimalMark', 'dayOrder', 'timeZone'] as const;
export type ImportQuestion = (typeof IMPORT_QUESTIONS)[number];

/** Columns of weights: `weightUnit` is about them. */
export const WEIGHT_COLUMNS = ['weight', 'minWeightOz', 'maxWeightOz'] as const;
/** Columns of moments: `dayOrder` and `timeZone` are about them. */
export const MOMENT_COLUMNS = ['seenAt', 'effectiveFrom'] as const;
/** Columns of numbers that may have decimals: `decimalMark` is about them. */
export const NUMBER_COLUMNS: readonly string[] = [
  ...['productCost', 'packagingCost', 'miscCost', 'currentPrice', 'minPrice', 'maxPrice', 'shippingCost'],
  ...['shippingCharge', 'fulfillmentCost', 'cost', 'price', 'shipping', 'fixed', 'minimum', 'bandUpTo'],
  ...['percent', 'minimumMargin', 'competitorOffset', 'rating', ...WEIGHT_COLUMNS],
  ...['marginWalmart', 'marginAmazon', 'marginMichaels', 'marginEbay', 'marginEtsy', 'marginShopify'],
];

/** As the value of `seenAt` for every row: the moment at which the file was uploaded. */
export const SEEN_AT_UPLOAD = 'upload';

const NumberSample = z.object({ line: z.int(), text: z.string() }).nullable();

const ImportColumn = z.object({
  /** Our name: "productCost". */
  name: z.string(),
  /** As screens call it: "Product Cost". */
  label: z.string(),
  isRequired: z.boolean(),
  hint: z.string(),
});

/** One row that is not fine, or a sample of what would happen. */
export const ImportLine = z.object({
  line: z.int(),
  /** What the row is about: "walmart A-1". */
  what: z.string(),
  /** The name or title of it. */
  title: z.string().nullable(),
  /** For updates: which fields change, old to new. For new rows: what they begin with, from null. */
  changes: z.array(z.object({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
});

export const ImportProblem = z.object({
  line: z.int(),
  column: z.string().nullable(),
  value: z.string().nullable(),
  problem: z.string(),
  fix: z.string(),
});
/** The same mistake in many rows is shown once with its count. */
export const ProblemGroup = z.object({
  column: z.string().nullable(),
  problem: z.string(),
  fix: z.string(),
  count: z.int(),
  firstLines: z.array(z.int()),
});

export const ImportCounts = z.object({
  rows: z.int(),
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  rejected: z.int(),
});

export const SellerCandidate = z.object({
  marketplace: z.enum(MARKETPLACES),
  name: z.string(),
  offers: z.int(),
  /** Declared already as one of us. */
  isOwn: z.boolean(),
});

/** What changed costs of SKUs would do to listings at the prices of now. */
const CostEffect = z.object({
  /** Listings whose cost changes. */
  listings: z.int(),
  /** Listings that would be under their margin floor and are not now; at most 50 are named. */
  fallingCount: z.int(),
  falling: z.array(
    z.object({
      marketplace: z.enum(MARKETPLACES),
      sku: z.string(),
      title: z.string(),
      currentPrice: Money,
      floorBefore: Money.nullable(),
      floorAfter: Money,
      /** Percent of what the buyer pays, however deep the loss: "-7031.25". */
      marginBefore: z.string().nullable(),
      marginAfter: z.string().nullable(),
    }),
  ),
  /** Listings whose cost would become unknown. */
  unknownCount: z.int(),
  /** Costs and weights that become at least three times what they were, or a third; at most 50 are named. */
  jumpCount: z.int(),
  jumps: z.array(
    z.object({
      sku: z.string(),
      name: z.string(),
      field: z.enum(['productCost', 'weight']),
      from: z.string(),
      to: z.string(),
    }),
  ),
});
export type CostEffect = z.output<typeof CostEffect>;

/** Names a check of a file; "0" for one that is so old that its job was cleared away. */
const CheckId = z.union([z.literal('0'), Id]);

export const Import = z.object({
  id: Id,
  kind: z.enum(IMPORT_KINDS),
  source: z.enum(IMPORT_SOURCES),
  fileName: z.string(),
  size: z.int(),
  state: z.enum(IMPORT_STATES),
  createdBy: z.string(),
  createdAt: Moment,
  /** The header of the file, in its order. */
  header: z.array(z.string()),
  /** The first five rows, cell by cell. */
  preview: z.array(z.array(z.string())),
  /** What we can take, and from which column of the file (by number from 0) each comes; null takes none. */
  columns: z.array(ImportColumn),
  mapping: z.record(z.string(), z.int().nullable()),
  ignoredColumns: z.array(z.string()),
  /** Required columns that nothing is mapped to; the check refuses until they are. */
  missingColumns: z.array(z.string()),
  /**
   * Our columns that are taken from one of another name, or that nothing is taken for where a value for every row was given
   * for such a file before: a person confirms them with PUT mapping, and the check waits.
   */
  guessed: z.array(z.string()),
  /** The columns are those that somebody chose for a file with the same headings before. */
  remembered: z.object({ by: z.string(), at: Moment }).nullable(),
  /** What is to be answered in "readings"; the check waits. */
  questions: z.array(z.enum(IMPORT_QUESTIONS)),
  /**
   * The first number of the chosen columns that proves a decimal comma, that proves a point, and that can be read either
   * way: "12,5", "12.5", "1,234". What "decimalMark" asks about.
   */
  numbers: z.object({ comma: NumberSample, point: NumberSample, either: NumberSample }),
  /** Values asked for because the file lacks them, by our column name: {"fulfillmentType": "FBM"}. */
  defaults: z.record(z.string(), z.string()),
  readings: Readings,
  /** A file of listings that says costs or weights too: they can be imported from it as SKUs. */
  saysCosts: z.boolean(),
  /** The whole file could not be read: why. */
  fault: z.string().nullable(),
  /** While it is checked: which check the counts and problems are of. Other columns make another one. */
  checkId: CheckId.nullable(),
  /** Set once checked; the counts of the import itself once done, and of what stays of one that stopped. */
  counts: ImportCounts.nullable(),
  problems: z.array(ProblemGroup),
  /** Notes that are no rejection: "currentPrice is ignored for 12 connected listings". */
  notes: z.array(z.string()),
  /** SKUs that were checked and change costs: what that does. */
  effect: CostEffect.nullable(),
  /** Offers only: who sells in this file. */
  sellers: z.array(SellerCandidate),
  /** While checking or importing: the job that does it. */
  jobId: Id.nullable(),
});
export type Import = z.output<typeof Import>;

/** One of ours, such as "productCost". */
const ColumnName = z.string().max(100);

/** PUT /api/imports/:id/mapping: choose columns and give values for what the file lacks. Starts the check again. */
export const MapColumns = z.strictObject({
  mapping: z.record(ColumnName, z.int().min(0).nullable()),
  defaults: z.record(ColumnName, z.string().max(500)),
  /** Left out, they stay as they are. */
  readings: Readings.optional(),
});

/** GET /api/imports/:id/lines?verdict=&page=: samples of what would happen, at most 200 for each verdict. */
export const LinesQuery = z.strictObject({ verdict: z.enum(['create', 'update', 'unchanged', 'rejected']) });
export const ImportLines = z.object({ lines: z.array(ImportLine), problems: z.array(ImportProblem) });

/**
 * POST /api/imports/:id/run. `checkId` is that of the check that was looked at: when the columns were changed since, by
 * another tab or person, it is a conflict. `allOrNothing` refuses when a row is rejected. Offers: which sellers are us.
 */
export const RunImport = z.strictObject({
  checkId: CheckId,
  allOrNothing: z.boolean(),
  /** How many of `effect.jumpCount` somebody looked at and found right: 409 unless it is all of them. */
  jumps: z.int().min(0).optional(),
  ownSellers: z
    .array(z.strictObject({ marketplace: z.enum(MARKETPLACES), name: z.string().trim().min(1).max(500) }))
    .max(10_000)
    .optional(),
});
// GET /api/imports/:id/rejected.csv: the original columns plus `error`. GET /api/imports/template/:kind.csv
