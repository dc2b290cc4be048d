import type { ImportSource } from '#contract/imports.ts';
import type { Cells } from '#files/cells.ts';
import type { ReportColumn } from '#files/report-sources.ts';
import { codeOf } from './fields.ts';

type ReportCells<Name extends string> = Cells<Name | ReportColumn>;

/** Shopify puts an apostrophe before codes that a spreadsheet would read as numbers: '00001 is the code 00001. */
export function reportedCode<Name extends string>(
  cells: Cells<Name>,
  name: Name,
  source: ImportSource,
): string | null {
  const code = codeOf(cells, name);
  return source === 'shopify' ? (code?.replace(/^'(?=.)/, '') ?? null) : code;
}

/** Identifies the product of a row of Shopify's export. */
function groupOf(cells: Cells<ReportColumn>): string | null {
  return cells.text('group');
}

/**
 * Shopify names a product in its first row only; variants differ by their options.
 * @param plainTitle reads the title cell
 */
export function variantTitles<Name extends string>(
  plainTitle: (cells: ReportCells<Name>) => string | null,
): (cells: ReportCells<Name>) => string | null {
  let group: string | null = null;
  let product: string | null = null;
  return (cells) => {
    const title = plainTitle(cells);
    const own = groupOf(cells as unknown as Cells<ReportColumn>);
    if (own !== group) product = null;
    group = own;
    product = title ?? product;
    const options = (['option1', 'option2', 'option3'] as const)
      .map((name) => cells.text(name))
      .filter((value) => value !== null && value !== 'Default Title');
    return [product, options.join(' / ')].filter((part) => part !== null && part !== '').join(' - ') || null;
  };
}

/** Repeats for each variant what Shopify writes in a product's first row only. @param read reads the cell */
export function ofProduct<Name extends string>(
  read: (cells: ReportCells<Name>) => string | null,
): (cells: ReportCells<Name>) => string | null {
  let group: string | null = null;
  let said: string | null = null;
  return (cells) => {
    const own = groupOf(cells as unknown as Cells<ReportColumn>);
    if (own !== group) said = null;
    group = own;
    said = read(cells) ?? said;
    return said;
  };
}

/**
 * The picture of a variant in Shopify's export: its own, or the first of its product. A later variant's row also has
 * another picture of the product, unrelated to the variant.
 * @param read reads and checks a cell that holds an address
 */
export function variantPictures<Name extends string>(
  read: (cells: ReportCells<Name | 'imageUrl'>, name: 'imageUrl' | 'variantImage') => string | null,
): (cells: ReportCells<Name | 'imageUrl'>) => string | null {
  let group: string | null = null;
  let first: string | null = null;
  return (cells) => {
    const own = groupOf(cells as unknown as Cells<ReportColumn>);
    if (own !== group) first = null;
    group = own;
    if (!cells.has('imageUrl')) return null;
    first ??= read(cells, 'imageUrl');
    return read(cells, 'variantImage') ?? first;
  };
}
