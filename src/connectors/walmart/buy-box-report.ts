import type { Account } from '#connectors/connector.ts';
import { RoundedPriceOrNull } from '#connectors/dollars.ts';
import { isUnreadable, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { type Cents, cents } from '#domain/units.ts';
import type { CsvRecord } from './csv-rows.ts';
import { readReport } from './download-report.ts';
import type { WalmartCalls } from './walmart-calls.ts';
import type { Box } from './walmart-offers.ts';

const REPORT = {
  type: 'BUYBOX',
  version: 'v1',
  columns: ['sku', 'seller item price', 'issellerbuyboxwinner', 'buybox item price', 'buybox ship price'],
};

/** The buy boxes of all items, from the report. It shows whether the box is ours. */
export async function* buyBoxReport(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<readonly (Box | UnreadableRow)[]> {
  for await (const rows of readReport(calls, account, REPORT, signal))
    yield rows.map((row) => (isUnreadable(row) ? row : boxOf(row)));
}

function boxOf(row: CsvRecord): Box | UnreadableRow {
  const cell = (name: string): string => row.get(name) ?? '';
  const amounts = new Map<string, Cents | null>();
  for (const name of AMOUNTS) {
    const read = RoundedPriceOrNull.safeParse(cell(name) === '' ? null : cell(name));
    if (!read.success) return unreadableRow(cell('sku'), name, cell(name));
    amounts.set(name, read.data);
  }
  const amount = (name: (typeof AMOUNTS)[number]): Cents | null => amounts.get(name) ?? null;
  const price = amount('buybox item price');
  const isOurs = cell('issellerbuyboxwinner').toLowerCase();
  return {
    sku: cell('sku'),
    ourPrice: amount('seller item price'),
    ourShipping: amount('seller ship price'),
    fulfillmentType: null,
    price,
    total: price === null ? null : cents(price + (amount('buybox ship price') ?? 0)),
    isOurs: /^(yes|y|true|1)$/.test(isOurs) ? true : /^(no|n|false|0)$/.test(isOurs) ? false : null,
  };
}

const AMOUNTS = ['buybox item price', 'buybox ship price', 'seller item price', 'seller ship price'] as const;
