import { bookedCents, isAheadOf, moneyId } from '#connectors/booked-money.ts';
import type { MoneyEvent, MoneyPage, RefusedMoney, ReportedSettlement } from '#domain/money/money-event.ts';
import { type Cents, cents, type Instant, instant } from '#domain/units.ts';
import { kindOf } from './recon-kind.ts';

/** A row by the names of its columns. */
export type ReconRow = Readonly<Record<string, unknown>>;

const COLUMNS = ['Transaction Type', 'Transaction Posted Timestamp', 'Amount', 'Amount Type'];
const COLUMNS_OF_ORDERS = ['Purchase Order #', 'Purchase Order line #', 'Partner Item Id'];

/** A report whose columns are not the known ones: nothing of it is used. */
export class UnknownColumns extends Error {
  readonly column: string;
  constructor(column: string) {
    super(`no column ${column}`);
    this.column = column;
  }
}

/** Reads the rows of one reconciliation report, page by page. */
export class ReconReport {
  readonly #date: string;
  readonly #now: Instant;
  #isChecked = false;
  #currency = 'USD';
  readonly #summaries: ReconRow[] = [];
  /** How many rows of each ID were read, on all pages. */
  readonly #rows = new Map<string, number>();

  /** @param date of the report, as Walmart names it */
  constructor(date: string, now: Instant) {
    this.#date = date;
    this.#now = now;
  }

  /**
   * @param offset of the page in its report
   * @throws UnknownColumns
   */
  page(rows: readonly ReconRow[], offset: number): MoneyPage {
    const reported = rows.map((row, at) => ({ row, place: `${offset}/${at + 1}` })).filter(isFilled);
    const amounts = reported.filter(({ row }) => !isSummary(row));
    this.#check(amounts.map(({ row }) => row));
    for (const { row } of reported) {
      if (!isSummary(row)) continue;
      this.#summaries.push(row);
      this.#currency = cell(row, 'Currency') || this.#currency;
    }
    const events: MoneyEvent[] = [];
    const refused: RefusedMoney[] = [];
    for (const { row, place } of amounts) {
      const booked = this.#eventOf(row, place);
      if ('why' in booked) {
        refused.push(booked);
        continue;
      }
      // Each row is an amount of its own, and is at the same place of its ID whenever the report is read.
      const { externalId } = booked;
      const number = (this.#rows.get(externalId) ?? 0) + 1;
      this.#rows.set(externalId, number);
      events.push(number === 1 ? booked : { ...booked, externalId: moneyId(externalId, number) });
    }
    return { events, settlements: [], refused };
  }

  /** What the rows said about the period as a whole. */
  end(): MoneyPage {
    const [first = {}] = this.#summaries;
    const totals = this.#summaries.map((row) => bookedCents(cell(row, 'Total Payable')));
    const total = totals[0] ?? null;
    const refused: RefusedMoney[] = [];
    const refuse = (why: RefusedMoney['why']) => refused.push({ where: `${this.#name}: Total Payable`, why });
    if (typeof total === 'string') refuse(total);
    else if (this.#currency !== 'USD') refuse('currency');
    // Two different totals: it is not known which one is right.
    else if (new Set(totals).size > 1) refuse('unreadable');
    const settlement: ReportedSettlement = {
      ref: this.#date,
      from: dayIn(first, 'Period Start Date'),
      to: dayIn(first, 'Period End Date'),
      paidAt: dayIn(first, 'Transaction Posted Timestamp'),
      total: refused.length > 0 || typeof total === 'string' ? null : total,
      isClosed: true,
    };
    return { events: [], settlements: [settlement], refused };
  }

  get #name(): string {
    return `report ${this.#date}`;
  }

  #check(amounts: readonly ReconRow[]): void {
    if (this.#isChecked || amounts.length === 0) return;
    const isOfOrders = amounts.some((row) => cell(row, 'Transaction Type') === 'Sale');
    const missing = [...COLUMNS, ...(isOfOrders ? COLUMNS_OF_ORDERS : [])].find(
      (column) => !amounts.some((row) => column in row),
    );
    if (missing !== undefined) throw new UnknownColumns(missing);
    this.#isChecked = true;
  }

  #eventOf(row: ReconRow, place: string): MoneyEvent | RefusedMoney {
    const types = {
      transactionType: cell(row, 'Transaction Type'),
      amountType: cell(row, 'Amount Type'),
      description: cell(row, 'Transaction Description'),
    };
    const key = cell(row, 'Transaction Key');
    const where = `${this.#name}: ${key === '' ? `row ${place}` : `transaction ${key}`}`;
    if ((cell(row, 'Currency') || this.#currency) !== 'USD') return { where, why: 'currency' };
    const amount = bookedCents(cell(row, 'Amount'));
    if (typeof amount === 'string') return { where, why: amount };
    const postedAt = dayIn(row, 'Transaction Posted Timestamp');
    if (postedAt === null) return { where, why: 'unreadable' };
    if (isAheadOf(this.#now, postedAt)) return { where, why: 'future' };
    const order = cell(row, 'Purchase Order #');
    const line = cell(row, 'Purchase Order line #');
    const sku = cell(row, 'Partner Item Id');
    const quantity = cell(row, 'Ship Qty');
    const kind = kindOf(types);
    const names = [types.transactionType, types.amountType, types.description].filter((name) => name !== '');
    return {
      // Without a key, its place: pages are always requested in the same size.
      externalId: key === '' ? moneyId(this.#date, place) : moneyId(key, order, line, sku, ...names),
      kind,
      rawType: names.join(' > '),
      amount,
      orderRef: order || null,
      lineRef: order !== '' && line !== '' ? `${order}:${line}` : null,
      sku: sku || null,
      itemId: null,
      quantity: /^[1-9]\d{0,8}$/.test(quantity) ? Number(quantity) : null,
      postedAt,
      releasedAt: postedAt,
      settlementRef: this.#date,
      ...(kind === 'commission' ? feeTold(row, amount) : {}),
    };
  }
}

/** What a row of a commission says of it. */
function feeTold(row: ReconRow, amount: Cents): Pick<MoneyEvent, 'fee'> {
  const category = cell(row, 'Contract Category') || null;
  const saved = savedBy(row, amount);
  return category === null && saved === null ? {} : { fee: { base: null, saved, category } };
}

/**
 * What a promotion took off the commission of this row. "Original Commission" less "Commission Saving" is what was charged
 * (of the account summary, Walmart's own example has it so: 572.99 less 30.80 is 542.19). No document says whether the two
 * are those of the row or of the order line, repeated on its row for the goods and on that for shipping: as a share of
 * what was charged they are the same in both. Else by the rates before and after the promotion; an amount alone counts as
 * that of the row.
 * @returns null where the row names no promotion
 */
function savedBy(row: ReconRow, amount: Cents): Cents | null {
  const charged = Math.abs(amount);
  const [original, saving] = [amountIn(row, 'Original Commission'), amountIn(row, 'Commission Saving')];
  if (saving > 0 && original > saving) return savedOf(charged, saving, original - saving);
  const [base, rate] = [rateIn(row, 'Base Commission Rate'), rateIn(row, 'Commission Rate')];
  if (base !== null && rate !== null && rate > 0 && base > rate) return savedOf(charged, base - rate, rate);
  return saving > 0 ? cents(saving) : null;
}

/** Rounded up, so that the regular commission is never understated. @param saved and @param rest whole numbers */
function savedOf(charged: number, saved: number, rest: number): Cents {
  return cents(Math.ceil((charged * saved) / rest));
}

/** Without its sign, which differs between the columns of a row; 0 where it is blank or unreadable. */
function amountIn(row: ReconRow, column: string): number {
  const reported = bookedCents(cell(row, column));
  return typeof reported === 'number' ? Math.abs(reported) : 0;
}

/** Ten-thousandths of a percent, of "15" or "7.50%". */
function rateIn(row: ReconRow, column: string): number | null {
  const [, rate] = /^(\d{1,3}(?:\.\d{1,4})?) ?%?$/.exec(cell(row, column)) ?? [];
  return rate === undefined ? null : Math.round(Number(rate) * 10_000);
}

function isFilled({ row }: { readonly row: ReconRow }): boolean {
  return Object.keys(row).some((column) => cell(row, column) !== '');
}

function isSummary(row: ReconRow): boolean {
  return cell(row, 'Transaction Type') === 'PaymentSummary';
}

/** Empty cells are missing, empty, or two quotes. */
function cell(row: ReconRow, column: string): string {
  const value = row[column];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text.replace(/^"(.*)"$/, '$1').trim();
}

/** Noon of "12/18/2025", so that it is the same day in every time zone of the United States; null for anything else. */
function dayIn(row: ReconRow, column: string): Instant | null {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})\b/.exec(cell(row, column)) ?? [];
  return noonOf(`${year}-${month}-${day}`);
}

/** The day of a report, whose name is "12192025"; null for any other name. */
export function dayOfReport(date: string): Instant | null {
  const [, month, day, year] = /^(\d\d)(\d\d)(\d{4})$/.exec(date) ?? [];
  return noonOf(`${year}-${month}-${day}`);
}

function noonOf(day: string): Instant | null {
  const at = Date.parse(`${day}T12:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? null : instant(at);
}
