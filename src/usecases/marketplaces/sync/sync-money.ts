import { ConnectorError } from '#connectors/connector-error.ts';
import { alarmed } from '#connectors/format-alarm.ts';
import { unreadableRow } from '#connectors/passed-over.ts';
import { readTaxedOrders, writeLearnedSalesTax } from '#db/queries/catalog/fee-terms.ts';
import {
  findMoneyRead,
  findUnnamedTurn,
  readUnnamedPayments,
  writeMoneyRead,
  writeUnnamedTurn,
} from '#db/queries/marketplaces/money/money.ts';
import { transact } from '#db/transact.ts';
import { learnedSalesTax } from '#domain/fees/sales-tax.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { MoneyPage } from '#domain/money/money-event.ts';
import { hours, instant } from '#domain/units.ts';
import { bookMoneyPage } from './book-money-page.ts';
import {
  type MoneyTimes,
  type MoneyWindow,
  moneyWindows,
  unnamedSpan,
  unnamedWindows,
} from './money-windows.ts';
import type { SyncDeps, SyncSource } from './sync-deps.ts';

/** Orders of this long report the seller's sales tax. */
const TAX_LEARNED_FROM = hours(90 * 24);

export interface MoneyCounts {
  readonly read: number;
  /** Amounts that were new or different. */
  readonly recorded: number;
  readonly refusedAmounts: number;
}

/**
 * Reads what the marketplace booked since the last reading, and further back until the first reading is complete: the
 * newest first. An amount that cannot be taken is kept with the reason, and stops nothing. Where the marketplace refused to say
 * for which orders payments are, these are read again until it does.
 * @param onProgress called with the counts so far
 * @throws ConnectorError
 */
export async function syncMoney(
  { db, now }: SyncDeps,
  { connection: { marketplace, connector, account }, signal }: SyncSource,
  times: MoneyTimes,
  onProgress: (counts: MoneyCounts) => void,
): Promise<MoneyCounts> {
  let counts: MoneyCounts = { read: 0, recorded: 0, refusedAmounts: 0 };
  const { readMoney } = connector;
  if (readMoney === undefined) return counts;
  const read = async ({ since, until }: Pick<MoneyWindow, 'since' | 'until'>): Promise<void> => {
    const pages = readMoney.call(connector, account, { since, until }, signal);
    for await (const page of alarmed(MARKETPLACE_NAMES[marketplace], pages, amountsIn)) {
      const booked = await transact(db, (tx) => bookMoneyPage(tx, marketplace, page, now()));
      counts = {
        read: counts.read + booked.read,
        recorded: counts.recorded + booked.recorded,
        refusedAmounts: counts.refusedAmounts + booked.refusedAmounts,
      };
      onProgress(counts);
    }
  };
  for (const window of moneyWindows(marketplace, await findMoneyRead(db, marketplace), times)) {
    await read(window);
    await writeMoneyRead(db, marketplace, window.after);
  }
  const orders = await readTaxedOrders(db, marketplace, instant(now() - TAX_LEARNED_FROM));
  const learned = learnedSalesTax(orders);
  if (learned !== null) {
    await writeLearnedSalesTax(db, marketplace, { share: learned, orders: orders.orders }, now());
  }
  const turn = await findUnnamedTurn(db, marketplace);
  const span = unnamedSpan(marketplace, turn, times.startedAt);
  const unnamed = span === null ? [] : await readUnnamedPayments(db, marketplace, span);
  for (const window of unnamedWindows(unnamed, turn?.readDownTo ?? null)) {
    // Before it is read: a day that cannot be read keeps no other one from its turn.
    await writeUnnamedTurn(db, marketplace, { readAt: times.startedAt, readDownTo: window.since });
    await read(window);
  }
  return counts;
}

/** The amounts of a page; a refused one that is none counts for the format of all. */
function amountsIn({ events, refused }: MoneyPage): object[] {
  return [
    ...events,
    ...refused.map(({ where, why }) => (why === 'unreadable' ? unreadableRow(where, 'amount', why) : {})),
  ];
}

/** Whether money cannot be read for a missing right: everything else of the marketplace goes on. */
export function isMissingRight(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && error.fault === 'permission';
}
