import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { DAY_ORDERS } from '#domain/written/day-order.ts';
import { WEIGHT_UNITS } from '#domain/written/weight-units.ts';
import { Id, Moment, Money, Zone } from './fields.ts';

export const IMPORT_KINDS = ['skus', 'listings', 'bundles', 'tiers', 'rules', 'offers', 'fees'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Other file types that the listings import recognizes by header, besides our own format. */
export const IMPORT_SOURCES = ['own', 'amazon', 'walmart', 'shopify', 'ebay', 'etsy'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

const IMPORT_STATES = ['uploaded', 'checking', 'checked', 'importing', 'done', 'failed'] as const;

/**
 * POST /api/imports?kind=&name= takes the file itself as the body (text/csv, at most 256 MB) and returns what
 * its header shows. Nothing is written to the catalog before POST /api/imports/:id/run.
 */
export const UploadQuery = z.strictObject({
  kind: z.enum(IMPORT_KINDS),
  name: z.string().min(1).max(255),
  /** An import whose file is used again for another kind of rows: the body is ignored then. */
  from: Id.optional(),
});

/** How to read cells where the file is ambiguous. Omitted answers mean the format of our own files. */
const Readings = z.strictObject({
  /** The unit of the weights in the file; they are converted to ounces. */
  weightUnit: z.enum(WEIGHT_UNITS).optional(),
  /** `comma`: 1.299,00 instead of 1,299.00. */
  decimalMark: z.enum(['point', 'comma']).optional(),
  /** Which number of 03/04/2026 is the month. */
  dayOrder: z.enum(DAY_ORDERS).optional(),
  /** Time zone of times without one: "America/New_York". */
  timeZone: Zone.optional(),
  /** Percentages: `share` where 0.15 is 15%, `percent` where it is 0.15%. */
  percentForm: z.enum(['percent', 'share']).optional(),
  /** SKUs: whether the file replaces known costs and weights, or only fills in unknown ones. */
  known: z.enum(['keep', 'replace']).optional(),
});
export type Readings = z.output<typeof Readings>;

/** Questions that must be answered before a file can be checked; no answer is guessed. */
export const IMPORT_QUESTIONS = ['weightUnit', 'decimalMark', 'dayOrder', 'timeZone', 'percentForm'] as const;
export type ImportQuestion = (typeof IMPORT_QUESTIONS)[number];

/** Columns of weights, to which `weightUnit` applies. */
export const WEIGHT_COLUMNS = ['weight', 'minWeightOz', 'maxWeightOz'] as const;
/** Columns of inches. */
const SIZE_COLUMNS = ['length', 'width', 'height'] as const;
/** Columns of timestamps, to which `dayOrder` and `timeZone` apply. */
export const MOMENT_COLUMNS: readonly string[] = [
  ...['seenAt', 'effectiveFrom', 'mapFrom', 'mapUntil', 'stockAt', 'externalPriceAt'],
  ...['activeFrom', 'activeUntil'],
];
/** Columns of percentages, to which `percentForm` applies. */
export const PERCENT_COLUMNS: readonly string[] = [
  ...['percent', 'percentTaxed', 'feeRate', 'adShare', 'returnShare', 'minimumMargin', 'targetMargin'],
  ...['marginWalmart', 'marginAmazon', 'marginMichaels', 'marginEbay', 'marginEtsy', 'marginShopify'],
  ...['targetWalmart', 'targetAmazon', 'targetMichaels', 'targetEbay', 'targetEtsy', 'targetShopify'],
  ...['winShare', 'ignoreUnderFloor'],
];
/** Columns of numbers that may have decimals, to which `decimalMark` applies. */
export const NUMBER_COLUMNS: readonly string[] = [
  ...['productCost', 'packagingCost', 'miscCost', 'currentPrice', 'minPrice', 'maxPrice', 'shippingCost'],
  ...['shippingCharge', 'fulfillmentCost', 'mapPrice', 'externalPrice', 'cost', 'price', 'shipping', 'fixed'],
  ...['perUnit', 'minimum', 'bandUpTo', 'competitorOffset', 'rating', 'ownPriceFrom', 'ownPriceTo'],
  ...['costFrom', 'costTo', ...PERCENT_COLUMNS, ...WEIGHT_COLUMNS, ...SIZE_COLUMNS],
];

/** As the value of `seenAt` for every row: the upload time of the file. */
export const SEEN_AT_UPLOAD = 'upload';

const NumberSample = z.object({ line: z.int(), text: z.string() }).nullable();

const ImportColumn = z.object({
  /** Our name: "productCost". */
  name: z.string(),
  /** The label on screens: "Product Cost". */
  label: z.string(),
  isRequired: z.boolean(),
  hint: z.string(),
});

/** A row with a problem, or a sample of what would happen. */
export const ImportLine = z.object({
  line: z.int(),
  /** What the row is about: "walmart A-1". */
  label: z.string(),
  /** Its name or title. */
  title: z.string().nullable(),
  /** For updates: the changed fields, old to new. For new rows: their first values, from null. */
  changes: z.array(z.object({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
});

export const ImportProblem = z.object({
  line: z.int(),
  /** The heading of the column in the file; our name for one that the file lacks. */
  column: z.string().nullable(),
  value: z.string().nullable(),
  problem: z.string(),
  fix: z.string(),
});
/** The same error in many rows is listed once with its count. */
export const ProblemGroup = z.object({
  /** The heading of the column in the file; our name for one that the file lacks. */
  column: z.string().nullable(),
  problem: z.string(),
  fix: z.string(),
  count: z.int(),
  firstLines: z.array(z.int()),
  /** These rows are rejected only because another row of the same bundle, listing or schedule is. */
  isSecondary: z.boolean(),
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
  /** Declared as our own seller before. */
  isOwn: z.boolean(),
});

/** The effect of changed SKU costs on listings at current prices. */
const CostEffect = z.object({
  /** Listings whose cost changes. */
  listings: z.int(),
  /** The rules of these listings, those with most of them first; at most 50. */
  rules: z.array(z.object({ name: z.string(), listings: z.int() })),
  /** Listings that would be below their margin floor, or further below it; at most 50 are named. */
  fallingCount: z.int(),
  falling: z.array(
    z.object({
      marketplace: z.enum(MARKETPLACES),
      sku: z.string(),
      title: z.string(),
      currentPrice: Money,
      floorBefore: Money.nullable(),
      floorAfter: Money,
      /** Percent of what the buyer pays, however large the loss: "-7031.25". */
      marginBefore: z.string().nullable(),
      marginAfter: z.string().nullable(),
    }),
  ),
  /** Listings whose cost would become unknown. */
  unknownCount: z.int(),
  /** Costs and weights that would at least triple, or fall to a third or less; at most 50 are named. */
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

/** How a file is laid out. */
const FileLayout = z.object({
  /** Between its cells: "," ";" tab or "|". */
  separator: z.string(),
  /** `utf-8` also for UTF-16. */
  encoding: z.enum(['utf-8', 'windows-1252']),
  /** Lines above the header, which are not read: a title, a date. */
  titleLines: z.int(),
  /** Lines of totals at the end, from 1, which are not read. */
  totalLines: z.array(z.int()),
  /** Rows below the header, without blank ones and totals; null for a file of an earlier version. */
  rows: z.int().nullable(),
});

/** ID of a check of a file; "0" for one whose job was deleted because of its age. */
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
  /** The column headers of the file, in order. */
  header: z.array(z.string()),
  layout: FileLayout,
  /** The first five rows, cell by cell. */
  preview: z.array(z.array(z.string())),
  /** The columns we can import, and the file column (index from 0) that each comes from; null for none. */
  columns: z.array(ImportColumn),
  mapping: z.record(z.string(), z.int().nullable()),
  ignoredColumns: z.array(z.string()),
  /** Required columns without a file column; the check is refused until they are mapped. */
  missingColumns: z.array(z.string()),
  /**
   * Our columns that are mapped to a file column of another name, or left unmapped where an earlier file of
   * this kind used a value for every row. The check waits until a user confirms them with PUT mapping.
   */
  guessed: z.array(z.string()),
  /** How likely each guessed column is right: `likely` for a name that sellers use, `possible` for a similar one. */
  confidence: z.record(z.string(), z.enum(['likely', 'possible'])),
  /** The mapping was chosen by a user for an earlier file with the same headers. */
  remembered: z.object({ by: z.string(), at: Moment }).nullable(),
  /** Questions to answer in "readings"; the check waits. */
  questions: z.array(z.enum(IMPORT_QUESTIONS)),
  /**
   * The first number of the chosen columns that proves a decimal comma, that proves a decimal point, and that
   * is ambiguous: "12,5", "12.5", "1,234". Basis of the question "decimalMark".
   */
  numbers: z.object({ comma: NumberSample, point: NumberSample, either: NumberSample }),
  /**
   * What all cells of each column of the file show, by its position from 0: how many are filled, the first number without a
   * unit, the first that may be a share of 1, and days that decide how days are read.
   */
  samples: z.record(
    z.string(),
    z.object({ filled: z.int(), bare: NumberSample, small: NumberSample, days: z.array(z.string()) }),
  ),
  /** Values to enter because the file lacks them, by our column name: {"fulfillmentType": "FBM"}. */
  defaults: z.record(z.string(), z.string()),
  readings: Readings,
  /** A listings file that also has costs or weights: they can be imported from it as SKUs. */
  saysCosts: z.boolean(),
  /** Why the whole file could not be read. */
  error: z.string().nullable(),
  /** During the check: the check that the counts and problems belong to. Another mapping starts a new one. */
  checkId: CheckId.nullable(),
  /** Set after the check; after the import its own counts, also of the part done by one that stopped. */
  counts: ImportCounts.nullable(),
  problems: z.array(ProblemGroup),
  /** Notes that are not errors: "currentPrice is ignored for 12 connected listings". */
  notes: z.array(z.string()),
  /** For checked SKUs that change costs: the effect. */
  effect: CostEffect.nullable(),
  /**
   * For checked rules, while no time zone is set for the store: how many new and changed ones have hours, days or dates, which
   * then count in UTC.
   */
  rulesInUtc: z.int(),
  /** Offers only: the sellers in this file. */
  sellers: z.array(SellerCandidate),
  /** While checking or importing: the job that does it. */
  jobId: Id.nullable(),
});
export type Import = z.output<typeof Import>;

/** One of our columns, such as "productCost". */
const ColumnName = z.string().max(100);

/** PUT /api/imports/:id/mapping: chooses columns and sets values for what the file lacks. Restarts the check. */
export const MapColumns = z.strictObject({
  mapping: z.record(ColumnName, z.int().min(0).nullable()),
  defaults: z.record(ColumnName, z.string().max(500)),
  /** Omitted readings do not change. */
  readings: Readings.optional(),
});

/** GET /api/imports/:id/lines?status=: samples of what would happen, at most 200 for each status. */
export const LinesQuery = z.strictObject({ status: z.enum(['create', 'update', 'unchanged', 'rejected']) });
export const ImportLines = z.object({ lines: z.array(ImportLine), problems: z.array(ImportProblem) });

/**
 * POST /api/imports/:id/run. `checkId` is that of the reviewed check: 409 when the mapping was changed after
 * it, in another tab or by another user. `allOrNothing` refuses when a row is rejected. Offers: which sellers
 * are ours.
 */
export const RunImport = z.strictObject({
  checkId: CheckId,
  allOrNothing: z.boolean(),
  /** How many of `effect.jumpCount` the user reviewed and confirmed: 409 unless it is all of them. */
  jumps: z.int().min(0).optional(),
  ownSellers: z
    .array(z.strictObject({ marketplace: z.enum(MARKETPLACES), name: z.string().trim().min(1).max(500) }))
    .max(10_000)
    .optional(),
});
// GET /api/imports/:id/rejected.csv: the original columns plus `error`. GET /api/imports/template/:kind.csv
