import { type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import { isTimeZone } from '#domain/time/time-zone.ts';
import { type Bps, hours, type Instant, type Millis, WHOLE } from '#domain/units.ts';
import { readPercent } from '#files/numbers.ts';
import { quoted } from '#files/row-problem.ts';
import { momentFrom } from '#files/timestamps.ts';
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/** The files `reprice` reads, in the order it reads them; listings stream through last. */
export const INPUT_FILES = [
  'rules',
  'fees',
  'tiers',
  'skus',
  'bundles',
  'offers',
  'sales',
  'listings',
] as const;
export type InputFile = (typeof INPUT_FILES)[number];
const REQUIRED_FILES = ['listings', 'skus', 'rules'] as const satisfies readonly InputFile[];

/** What `pricewright reprice` was asked to do. */
export interface RepriceOptions {
  /** Paths; `-` is standard input, undefined is not given. */
  readonly files: Readonly<Partial<Record<InputFile, string>>>;
  readonly ownSellers: ReadonlySet<SellerKey>;
  /** Null: the present. */
  readonly now: Instant | null;
  /** Where the shop is; null: conditions about the time of day do not hold. */
  readonly timeZone: string | null;
  readonly maxAge: Millis;
  readonly maxStep: Bps;
  readonly explain: boolean;
  /** Path for the summary; null: none is written. */
  readonly summary: string | null;
}

const VALUE_FLAGS = [...INPUT_FILES, 'seller', 'now', 'time-zone', 'max-age', 'max-step', 'summary'] as const;
const FLAGS = [...VALUE_FLAGS, 'explain', 'help'] as const;
type ValueFlag = (typeof VALUE_FLAGS)[number];

/**
 * Reads the arguments behind `pricewright reprice`.
 * @returns null when help is requested
 * @throws UsageError naming the flag, the nearest one that exists, and the way to the help
 */
export function readRepriceOptions(args: readonly string[]): RepriceOptions | null {
  if (args.includes('--help') || args.includes('-h')) return null;
  const { values, explain } = readFlags(args);
  const one = (flag: ValueFlag): string | undefined => values.get(flag)?.[0];
  const files = Object.fromEntries(
    INPUT_FILES.map((file) => [file, one(file)]).filter(([, path]) => path !== undefined),
  ) as Partial<Record<InputFile, string>>;
  checkFiles(files);
  const summary = one('summary') ?? null;
  if (summary === '-') throw usageError('--summary needs a path: standard output is taken by the prices');
  const now = one('now');
  return {
    files,
    ownSellers: new Set((values.get('seller') ?? []).map(readSeller)),
    now: now === undefined ? null : readNow(now),
    timeZone: readTimeZone(one('time-zone')),
    maxAge: readAge(one('max-age') ?? '24h'),
    maxStep: readStep(one('max-step') ?? '15'),
    explain,
    summary,
  };
}

function readFlags(args: readonly string[]): { values: Map<ValueFlag, string[]>; explain: boolean } {
  const values = new Map<ValueFlag, string[]>();
  let explain = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (!arg.startsWith('--')) {
      throw usageError(
        `unexpected argument ${quoted(arg)}: every file is named by a flag, such as --listings FILE`,
      );
    }
    const [name, inline] = splitFlag(arg.slice(2));
    if (name === 'explain') {
      if (inline !== undefined) throw usageError('--explain takes no value');
      explain = true;
      continue;
    }
    if (!isValueFlag(name)) throw unknownFlag(name);
    const value = inline ?? args[++at];
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('--'))) {
      throw usageError(`--${name} needs a value`);
    }
    const given = values.get(name) ?? [];
    if (given.length > 0 && name !== 'seller') throw usageError(`--${name} is given twice`);
    values.set(name, [...given, value]);
  }
  return { values, explain };
}

function splitFlag(flag: string): [string, string | undefined] {
  const equals = flag.indexOf('=');
  return equals < 0 ? [flag, undefined] : [flag.slice(0, equals), flag.slice(equals + 1)];
}

function isValueFlag(name: string): name is ValueFlag {
  return (VALUE_FLAGS as readonly string[]).includes(name);
}

function unknownFlag(name: string): UsageError {
  const near = nearest(name, FLAGS);
  return usageError(
    `unknown flag ${quoted(`--${name}`)}${near === null ? '' : ` (did you mean --${near}?)`}`,
  );
}

function checkFiles(files: Readonly<Partial<Record<InputFile, string>>>): void {
  const missing = REQUIRED_FILES.filter((file) => files[file] === undefined);
  if (missing.length > 0) throw usageError(`${missing.map((file) => `--${file}`).join(', ')} missing`);
  const piped = INPUT_FILES.filter((file) => files[file] === '-');
  if (piped.length > 1) {
    const flags = piped.map((file) => `--${file}`).join(' and ');
    throw usageError(`${flags} both read standard input: only one file can be -`);
  }
}

function readSeller(name: string): SellerKey {
  const key = sellerKey(name);
  if (key === null)
    throw usageError('--seller is blank: write your name as buyers see it, such as --seller "My Shop"');
  return key;
}

function readNow(text: string): Instant {
  const now = momentFrom(text);
  if (now === null) throw usageError(`--now ${quoted(text)} is not a timestamp: use 2026-11-21T12:00:00Z`);
  return now;
}

function readTimeZone(zone: string | undefined): string | null {
  if (zone === undefined || isTimeZone(zone)) return zone ?? null;
  throw usageError(`--time-zone ${quoted(zone)} is not a time zone: use America/New_York or UTC`);
}

const AGE_UNITS: Readonly<Record<string, number>> = { s: 1 / 3_600, m: 1 / 60, h: 1, d: 24 };

function readAge(text: string): Millis {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  const unit = AGE_UNITS[match?.[2] ?? ''];
  if (match === null || unit === undefined) {
    throw usageError(`--max-age ${quoted(text)} is not a duration: use 90m, 24h or 2d`);
  }
  return Math.round(hours(Number(match[1]) * unit)) as Millis;
}

function readStep(text: string): Bps {
  const bytes = Buffer.from(text);
  const step = readPercent(bytes, 0, bytes.length);
  if (step === null || step === 0 || step > WHOLE) {
    throw usageError(`--max-step ${quoted(text)} is not a percentage above 0 and up to 100: use 15`);
  }
  return step;
}

function usageError(problem: string): UsageError {
  return new UsageError(`${problem}. See pricewright reprice --help.`);
}
