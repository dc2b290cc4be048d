import type { ImportKind, ImportSource } from '#contract/imports.ts';

interface KindTexts {
  /** In a list of kinds: "SKUs and costs". */
  readonly label: string;
  /** What it brings and what it is good for. */
  readonly about: string;
  /** "3 SKUs" */
  readonly one: string;
  readonly many: string;
  /** Where the result can be seen. */
  readonly result: { readonly label: string; readonly path: string };
}

/** In the order in which a new shop needs them. */
export const KINDS = {
  listings: {
    label: 'Listings',
    about:
      'What you sell, where and at what price. You can import reports of Amazon, Walmart, eBay, Shopify and Etsy as they are.',
    one: 'listing',
    many: 'listings',
    result: { label: 'See listings', path: '/listings' },
  },
  skus: {
    label: 'SKUs and costs',
    about: 'Cost and weight of each product. Without a cost, no price can be calculated.',
    one: 'SKU',
    many: 'SKUs',
    result: { label: 'See SKUs', path: '/skus' },
  },
  offers: {
    label: 'Competitor offers',
    about: 'Who else sells your items, with price and shipping.',
    one: 'offer',
    many: 'offers',
    result: { label: 'See listings', path: '/listings' },
  },
  bundles: {
    label: 'Bundles',
    about: 'Which SKUs are in a listing, and how many.',
    one: 'bundle component',
    many: 'bundle components',
    result: { label: 'See bundles', path: '/bundles' },
  },
  tiers: {
    label: 'Shipping tiers',
    about: 'Your shipping cost by package weight.',
    one: 'shipping tier',
    many: 'shipping tiers',
    result: { label: 'See shipping tiers', path: '/shipping-tiers' },
  },
  rules: {
    label: 'Rules',
    about: 'How prices respond to competitors, and the minimum margin.',
    one: 'rule',
    many: 'rules',
    result: { label: 'See rules', path: '/rules' },
  },
  fees: {
    label: 'Marketplace fees',
    about: 'What each marketplace charges per sale, by category.',
    one: 'fee row',
    many: 'fee rows',
    result: { label: 'See fees', path: '/costs' },
  },
} as const satisfies Record<ImportKind, KindTexts>;

/** Whose file it is, where it is not our own format. */
export const SOURCE_TEXT = {
  own: null,
  amazon: 'a report of Amazon',
  walmart: "Walmart's item report",
  shopify: "Shopify's product export",
  ebay: "eBay's active listings report",
  etsy: "Etsy's file of listings",
} as const satisfies Record<ImportSource, string | null>;

/** Ends that a file of this kind may have. Marketplaces, suppliers and spreadsheets write text with tabs or | too. */
export function endingsOf(kind: ImportKind): readonly string[] {
  return kind === 'bundles' ? ['.csv'] : ['.csv', '.txt', '.tsv'];
}

const WORKBOOK = /\.(?:xlsx?|xlsm|ods|numbers)$/i;

/** How a spreadsheet becomes a CSV file; null for a file that is none. */
export function workbookHint(file: File | null): string | null {
  if (file === null || !WORKBOOK.test(file.name)) return null;
  return 'Save it as CSV first. Excel: File, Save As, CSV UTF-8. Google Sheets: File, Download, Comma-separated values. Numbers: File, Export To, CSV.';
}

/** What is wrong with a file before it is sent; null when nothing is. */
export function fileError(kind: ImportKind, file: File | null): string | null {
  if (file === null) return 'Please select a file';
  const name = file.name.toLowerCase();
  return endingsOf(kind).some((ending) => name.endsWith(ending)) ? null : 'Please upload a CSV file';
}

const UNITS = ['bytes', 'KB', 'MB'] as const;

/** "12 KB", "1.5 MB" @param bytes not negative */
export function sizeText(bytes: number): string {
  const step = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  const size = bytes / 1_000 ** step;
  return `${size.toFixed(step === 2 ? 1 : 0)} ${UNITS[step]}`;
}
