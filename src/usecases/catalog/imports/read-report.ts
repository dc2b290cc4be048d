import type { ImportSource } from '#contract/imports.ts';
import type { Cells } from '#files/cells.ts';
import type { ReportColumn } from '#files/report-sources.ts';
import { codeOf } from './fields.ts';

type ReportCells<Name extends string> = Cells<Name | ReportColumn>;

/** Shopify guards codes that a spreadsheet would take for numbers with an apostrophe: '00001 is the code 00001. */
export function reportedCode<Name extends string>(
  cells: Cells<Name>,
  name: Name,
  source: ImportSource,
): string | null {
  const code = codeOf(cells, name);
  return source === 'shopify' ? (code?.replace(/^'(?=.)/, '') ?? null) : code;
}

/** Tells the product of one row of Shopify's export from that of the next. */
function groupOf(cells: Cells<ReportColumn>): string | null {
  return cells.text('group');
}

/**
 * Shopify names a product in its first row only; a variant is told apart by its options.
 * @param plainTitle reads the cell of the title
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

/**
 * What Shopify says of a product in its first row only, said again for each of its variants.
 * @param read reads the cell
 */
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
 * The picture of a variant in Shopify's export: its own, or the first of its product. Beside a later variant stands a
 * further picture of the product, which has nothing to do with it.
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
