import type { Account } from '#connectors/connector.ts';
import { type Cents, cents } from '#domain/units.ts';
import type { CsvRecord } from './csv-rows.ts';
import type { WalmartCalls } from './walmart-calls.ts';
import type { Box } from './walmart-offers.ts';
import { priceCell, readReport } from './walmart-report.ts';

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
): AsyncGenerator<readonly Box[]> {
  for await (const rows of readReport(calls, account, REPORT, signal)) yield rows.map(boxOf);
}

function boxOf(row: CsvRecord): Box {
  const amount = (name: string): Cents | null => priceCell(row.get(name) ?? '');
  const price = amount('buybox item price');
  const isOurs = row.get('issellerbuyboxwinner')?.toLowerCase() ?? '';
  return {
    sku: row.get('sku') ?? '',
    ourPrice: amount('seller item price'),
    ourShipping: amount('seller ship price'),
    fulfillmentType: null,
    price,
    total: price === null ? null : cents(price + (amount('buybox ship price') ?? 0)),
    isOurs: /^(yes|y|true|1)$/.test(isOurs) ? true : /^(no|n|false|0)$/.test(isOurs) ? false : null,
  };
}
