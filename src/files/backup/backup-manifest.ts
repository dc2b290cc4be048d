/** What a backup contains, and of what. Its first file. */
export interface BackupManifest {
  readonly format: 1;
  /** Version of the program that made it: "1.3.0". */
  readonly program: string;
  /** The newest migration of the database. */
  readonly schema: { readonly version: number; readonly name: string; readonly checksum: string };
  /** The moment whose state it contains, in ISO 8601 and UTC. */
  readonly takenAt: string;
  /** Time zone of the shop; null when it was not set. */
  readonly timeZone: string | null;
  /** Ids of the master keys without which its stored secrets cannot be decrypted. The keys are not in it. */
  readonly masterKeys: readonly string[];
  /** In the order of their rows in the file. */
  readonly tables: readonly BackupTable[];
  readonly sequences: readonly BackupSequence[];
}

export interface BackupTable {
  readonly name: string;
  /** In the order of the values in a row. */
  readonly columns: readonly string[];
}

export interface BackupSequence {
  readonly name: string;
  /** A 64-bit number. */
  readonly lastValue: string;
  readonly isCalled: boolean;
}

/** A table as it is in the file, counted after the last row. */
export interface TableSum {
  readonly name: string;
  readonly rows: number;
  /** Of its rows before compression. */
  readonly bytes: number;
  /** Of the same bytes, in hex. */
  readonly sha256: string;
}

/** The last file of a backup. */
export interface BackupChecksums {
  readonly tables: readonly TableSum[];
  /** Of all bytes of the archive before this file's header, in hex. */
  readonly sha256: string;
}

/** Reads a manifest; null for anything else, also for the text of a manifest that was written differently. */
export function parseManifest(text: string): BackupManifest | null {
  const value = parse(text);
  return isManifest(value) && written(value) === text ? value : null;
}

/** The same for checksums. */
export function parseChecksums(text: string): BackupChecksums | null {
  const value = parse(text);
  return isChecksums(value) && written(value) === text ? value : null;
}

/** The text of a manifest or of checksums in the file. */
export function written(value: BackupManifest | BackupChecksums): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A name of a table, a column or a sequence, which is also part of the name of a file in the archive. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/;
const HASH = /^[0-9a-f]{64}$/;

function isManifest(value: unknown): value is BackupManifest {
  if (!isObject(value) || !isObject(value.schema)) return false;
  const { format, program, schema, takenAt, timeZone, masterKeys, tables, sequences } = value;
  return (
    format === 1 &&
    isText(program) &&
    Number.isSafeInteger(schema.version) &&
    isText(schema.name) &&
    isLike(schema.checksum, HASH) &&
    isText(takenAt) &&
    !Number.isNaN(Date.parse(takenAt)) &&
    (timeZone === null || isText(timeZone)) &&
    isListOf(masterKeys, (id) => isLike(id, /^[0-9a-f]{8}$/)) &&
    isListOf(tables, isTable) &&
    isListOf(sequences, isSequence)
  );
}

function isTable(value: unknown): boolean {
  return (
    isObject(value) && isLike(value.name, NAME) && isListOf(value.columns, (column) => isLike(column, NAME))
  );
}

function isSequence(value: unknown): boolean {
  return (
    isObject(value) &&
    isLike(value.name, NAME) &&
    isLike(value.lastValue, /^-?\d{1,19}$/) &&
    typeof value.isCalled === 'boolean'
  );
}

function isChecksums(value: unknown): value is BackupChecksums {
  return isObject(value) && isLike(value.sha256, HASH) && isListOf(value.tables, isTableSum);
}

function isTableSum(value: unknown): boolean {
  return (
    isObject(value) &&
    isLike(value.name, NAME) &&
    Number.isSafeInteger(value.rows) &&
    Number.isSafeInteger(value.bytes) &&
    isLike(value.sha256, HASH)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 200;
}

function isLike(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}
