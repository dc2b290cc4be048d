import { type Cents, cents, type Ounces } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import type { TableFormat } from './table.ts';

export type SkuColumn =
  | 'sku'
  | 'name'
  | 'productCost'
  | 'weight'
  | 'packagingCost'
  | 'miscCost'
  | 'veeqoId'
  | 'tags'
  | 'brand'
  | 'supplier'
  | 'length'
  | 'width'
  | 'height'
  | 'isHazardous'
  | 'effectiveFrom';

/** The SKUs file. The costs and the weight are required columns: a misspelled one must not count as nothing. */
export const SKU_FORMAT: TableFormat<SkuColumn> = {
  columns: {
    sku: 'required',
    name: 'optional',
    productCost: 'required',
    weight: 'required',
    packagingCost: 'required',
    miscCost: 'required',
    veeqoId: 'optional',
    tags: 'optional',
    brand: 'optional',
    supplier: 'optional',
    length: 'optional',
    width: 'optional',
    height: 'optional',
    isHazardous: 'optional',
    effectiveFrom: 'optional',
  },
  // What the sides are called where SKUs are shown.
  aliases: { lengthIn: 'length', widthIn: 'width', heightIn: 'height' },
};

/** What a SKU row says about money, and its labels. */
export interface SkuRow {
  /** Null is unknown. */
  productCost: Cents | null;
  weight: Ounces | null;
  /** Inches of one packed unit. */
  length: number | null;
  width: number | null;
  height: number | null;
  /** A blank cell is false. */
  isHazardous: boolean;
  /** A blank cell is 0.00: most goods have none. */
  packagingCost: Cents;
  miscCost: Cents;
  brand: string | null;
  supplier: string | null;
  /** Separated by |; null for none. */
  tags: string | null;
}

const NOTHING = cents(0);

/** Reads the current row of `cells`. Use it only when `cells.bad` stays empty. */
export function readSku(cells: Cells<SkuColumn>): SkuRow {
  return {
    productCost: cells.amount('productCost'),
    weight: cells.weight('weight'),
    length: cells.inches('length'),
    width: cells.inches('width'),
    height: cells.inches('height'),
    isHazardous: cells.flag('isHazardous') ?? false,
    packagingCost: cells.amount('packagingCost') ?? NOTHING,
    miscCost: cells.amount('miscCost') ?? NOTHING,
    brand: cells.text('brand'),
    supplier: cells.text('supplier'),
    tags: cells.text('tags'),
  };
}
