import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CATEGORY_KEY_KINDS, type MappedCategory } from '#domain/fees/fee-category.ts';
import { FEE_CONFIDENCES } from '#domain/fees/fee-publication.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { textSource } from './byte-source.ts';
import { FileError } from './file-error.ts';
import { keywordsOf, MARKETPLACE_KEYWORDS } from './keywords.ts';
import { problemText } from './row-problem.ts';
import { shippedFolder } from './shipped-folder.ts';
import { Table, type TableFormat } from './table.ts';
import { readRows } from './table-rows.ts';

type MapColumn = 'marketplace' | 'kind' | 'key' | 'name' | 'feeCategory' | 'confidence' | 'source';

/** One row for each product type or category whose fee category is known well enough to be assumed. */
const MAP_FORMAT: TableFormat<MapColumn> = {
  columns: {
    marketplace: 'required',
    kind: 'required',
    key: 'required',
    name: 'required',
    feeCategory: 'required',
    confidence: 'required',
    source: 'required',
  },
};

const KIND_KEYWORDS = keywordsOf(CATEGORY_KEY_KINDS);
const CONFIDENCE_KEYWORDS = keywordsOf(FEE_CONFIDENCES);

/**
 * Reads the shipped map from product types and categories of marketplaces to fee categories, a file for each marketplace
 * that has one.
 * @throws FileError for a file in which anything cannot be used
 */
export async function readCategoryMap(folder = shippedFolder('category-maps')): Promise<MappedCategory[]> {
  const files = MARKETPLACES.map((marketplace) => join(folder, `${marketplace}.csv`)).filter(existsSync);
  return (await Promise.all(files.map(readFileOf))).flat();
}

async function readFileOf(path: string): Promise<MappedCategory[]> {
  const entries = new Map<string, MappedCategory>();
  const table = await Table.open(path, textSource(await readFile(path)), MAP_FORMAT);
  await readRows(table, refuse, {
    onRow(cells) {
      const needs = (name: MapColumn) => cells.required(name, cells.text(name), 'Enter a text.');
      const marketplace = cells.required(
        'marketplace',
        cells.word('marketplace', MARKETPLACE_KEYWORDS),
        MARKETPLACE_KEYWORDS.fix,
      );
      const kind = cells.required('kind', cells.word('kind', KIND_KEYWORDS), KIND_KEYWORDS.fix);
      cells.required('confidence', cells.word('confidence', CONFIDENCE_KEYWORDS), CONFIDENCE_KEYWORDS.fix);
      const [key, category] = [needs('key'), needs('feeCategory'), needs('source')];
      if (marketplace === null || kind === null || key === null || category === null) return;
      const place = `${kind}/${key.toLowerCase()}`;
      // Of two categories for one key neither is known.
      if (entries.has(place)) throw new FileError(`${path}: ${key} is listed twice.`);
      entries.set(place, { marketplace, kind, key, category });
    },
  });
  return [...entries.values()];
}

function refuse(problem: Parameters<typeof problemText>[0]): never {
  throw new FileError(problemText(problem));
}
