import { BUNDLE_FORMAT, type BundleColumn } from '#files/bundle-format.ts';
import type { ByteSource } from '#files/byte-source.ts';
import { FEE_FORMAT, type FeeColumn } from '#files/fee-format.ts';
import { FileError } from '#files/file-error.ts';
import { LISTING_FORMAT, type ListingColumn } from '#files/listing-format.ts';
import { OFFER_FORMAT, type OfferColumn } from '#files/offer-format.ts';
import { quoted } from '#files/row-problem.ts';
import { RULE_FORMAT, type RuleColumn } from '#files/rule-format.ts';
import { SALE_FORMAT, type SaleColumn } from '#files/sale-format.ts';
import { SKU_FORMAT, type SkuColumn } from '#files/sku-format.ts';
import { Table, type TableFormat } from '#files/table.ts';
import { TIER_FORMAT, type TierColumn } from '#files/tier-format.ts';
import type { CommandIo } from './io.ts';
import type { InputFile, RepriceOptions } from './reprice-options.ts';

/** The files of a run, opened, their headers read. Null: not given. */
export interface Inputs {
  readonly rules: Table<RuleColumn>;
  readonly skus: Table<SkuColumn>;
  readonly listings: Table<ListingColumn>;
  readonly fees: Table<FeeColumn> | null;
  readonly tiers: Table<TierColumn> | null;
  readonly bundles: Table<BundleColumn> | null;
  readonly offers: Table<OfferColumn> | null;
  readonly sales: Table<SaleColumn> | null;
  /**
   * The listings once more, from the start.
   * @throws FileError when they come from standard input
   */
  reopenListings(): Promise<Table<ListingColumn>>;
  /** Closes what is still open. */
  close(): Promise<void>;
}

/**
 * Opens every file and reads its header, so that a missing column is named before any row is read.
 * Columns that no format knows are listed on standard error.
 * @throws FileError for a file that cannot be opened or has the wrong header
 */
export async function openInputs({ files }: RepriceOptions, io: CommandIo): Promise<Inputs> {
  const opened: ByteSource[] = [];
  const close = async (): Promise<void> => {
    for (const source of opened) await source.close();
  };
  const open = async <Name extends string>(
    file: InputFile,
    format: TableFormat<Name>,
  ): Promise<Table<Name> | null> => {
    const path = files[file];
    if (path === undefined) return null;
    const name = path === '-' ? `standard input (--${file})` : path;
    const source = path === '-' ? io.openStdin() : await openFile(file, path, io);
    opened.push(source);
    const table = await Table.open(name, source, format);
    const { unknown } = table.header;
    if (unknown.length > 0) {
      io.writeError(`${name}: columns not used: ${unknown.map((column) => quoted(column)).join(', ')}\n`);
    }
    return table;
  };
  try {
    return {
      rules: await required(open('rules', RULE_FORMAT)),
      skus: await required(open('skus', SKU_FORMAT)),
      listings: await required(open('listings', LISTING_FORMAT)),
      fees: await open('fees', FEE_FORMAT),
      tiers: await open('tiers', TIER_FORMAT),
      bundles: await open('bundles', BUNDLE_FORMAT),
      offers: await open('offers', OFFER_FORMAT),
      sales: await open('sales', SALE_FORMAT),
      reopenListings: async () => {
        if (files.listings === '-') throw new FileError(LISTINGS_TWICE);
        return required(open('listings', LISTING_FORMAT));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const LISTINGS_TWICE =
  'standard input (--listings): a rule has refuseCrossChannel or asks a price of another channel, and then the listings are read twice. Save them to a file first.';

async function required<Name extends string>(opening: Promise<Table<Name> | null>): Promise<Table<Name>> {
  const table = await opening;
  if (table === null) throw new RangeError('a required file was not given');
  return table;
}

const OPEN_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'reading it is not allowed',
  EISDIR: 'it is a folder',
};

async function openFile(file: InputFile, path: string, io: CommandIo): ReturnType<CommandIo['openFile']> {
  try {
    return await io.openFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = OPEN_ERRORS[code] ?? (error instanceof Error ? error.message : String(error));
    throw new FileError(`${path} cannot be read: ${why}. Check the path given to --${file}.`, {
      cause: error,
    });
  }
}
