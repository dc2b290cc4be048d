import type { Db } from '#db/client.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import {
  bookMoney,
  lockMoney,
  readWithdrawnMoney,
  writeRefusedMoney,
  writeSettlements,
} from '#db/queries/marketplaces/money/money.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { MoneyEvent, MoneyPage, RefusedMoney, ReportedSettlement } from '#domain/money/money-event.ts';
import { type Cents, cents, hours, type Instant, MAX_CENTS } from '#domain/units.ts';

/** A clock of a marketplace may be ahead of ours. */
const MAX_AHEAD = hours(24);
const MAX_TEXT = 500;
const MAX_REF = 200;
/** The most that an integer column holds. */
const MAX_QUANTITY = 2_147_483_647;
/** The end of the year 9999: times beyond are mistakes, as are those before 1970. */
const MAX_TIME = 253_402_300_799_999;

/**
 * Books a page of what a marketplace reported. An amount that cannot be taken is kept with the reason, and stops nothing. An
 * amount that its transaction no longer has becomes 0.00.
 * @param tx a transaction
 * @returns how many amounts could be taken, were new or different, and could not be taken
 */
export async function bookMoneyPage(
  tx: Db,
  marketplace: Marketplace,
  page: MoneyPage,
  now: Instant,
): Promise<{ read: number; recorded: number; refusedAmounts: number }> {
  await lockMoney(tx, marketplace);
  const { events, refused } = usableOf(page, now);
  // Of an amount that is on the page twice, the one that was released.
  const released = [...events.filter(isPending), ...events.filter((event) => !isPending(event))];
  await writeRefusedMoney(tx, marketplace, newest(refused.map(refusedRow), keyOfRefused), now);
  await writeSettlements(
    tx,
    marketplace,
    newest(page.settlements.map(settlementRow), ({ ref }) => ref),
    now,
  );
  const reported = newest(released.map(eventRow), ({ externalId }) => externalId);
  // A refused amount was not taken back.
  const whole = refused.length > page.refused.length ? [] : (page.whole ?? []);
  const unreported = await readWithdrawnMoney(
    tx,
    marketplace,
    whole.map(({ id, orderRef, isPending = false }) => ({
      id: plain(id, MAX_REF),
      orderRef: plain(orderRef, MAX_TEXT),
      isPending: String(isPending),
    })),
    reported.flatMap(({ externalId }) => externalId ?? []),
  );
  const withdrawn = unreported.map((row) => ({ ...row, amount: decimalFromCents(cents(0)) }));
  const recorded = await bookMoney(tx, marketplace, [...reported, ...withdrawn], now);
  return { read: events.length, recorded, refusedAmounts: refused.length };
}

function isPending({ releasedAt }: MoneyEvent): boolean {
  return releasedAt === null;
}

function keyOfRefused({ place, why }: TextRow): string {
  return `${why} ${place}`;
}

/** What of a page can be booked: connectors refuse amounts themselves, and nothing here trusts that. */
function usableOf(page: MoneyPage, now: Instant): { events: MoneyEvent[]; refused: RefusedMoney[] } {
  const events: MoneyEvent[] = [];
  const refused = [...page.refused];
  for (const event of page.events) {
    const why = refusalOf(event, now);
    if (why === null) events.push(event);
    else refused.push({ where: `${event.rawType} ${event.externalId}`, why });
  }
  return { events, refused };
}

function refusalOf({ externalId, amount, postedAt }: MoneyEvent, now: Instant): RefusedMoney['why'] | null {
  if (plain(externalId, MAX_REF + 1) === null || externalId.length > MAX_REF) return 'no_id';
  if (!Number.isFinite(amount) || isoOf(postedAt) === null) return 'unreadable';
  if (!Number.isInteger(amount)) return 'fraction';
  if (Math.abs(amount) > MAX_CENTS) return 'out_of_range';
  return postedAt > now + MAX_AHEAD ? 'future' : null;
}

function eventRow(event: MoneyEvent): TextRow {
  const { externalId, kind, rawType, amount, quantity, postedAt, releasedAt } = event;
  return {
    externalId: plain(externalId, MAX_REF),
    kind,
    rawType: plain(rawType, MAX_TEXT) ?? kind,
    amount: decimalFromCents(amount),
    orderRef: plain(event.orderRef, MAX_TEXT),
    lineRef: plain(event.lineRef, MAX_TEXT),
    sku: plain(event.sku, MAX_TEXT),
    itemId: plain(event.itemId, MAX_TEXT),
    quantity: quantity !== null && isQuantity(quantity) ? String(quantity) : null,
    postedAt: isoOf(postedAt),
    releasedAt: isoOf(releasedAt),
    settlementRef: plain(event.settlementRef, MAX_REF),
    feeBase: amountOf(event.fee?.base ?? null),
    feeSaved: amountOf(event.fee?.saved ?? null),
    feeCategory: plain(event.fee?.category ?? null, MAX_REF),
    isOfNoOrder: String(event.isOfNoOrder === true),
  };
}

/** One that no column holds is not reported. */
function amountOf(amount: Cents | null): string | null {
  const isKept = amount !== null && Number.isInteger(amount) && amount >= 0 && amount <= MAX_CENTS;
  return isKept ? decimalFromCents(amount) : null;
}

function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity > 0 && quantity <= MAX_QUANTITY;
}

function settlementRow({ ref, from, to, paidAt, total, isClosed }: ReportedSettlement): TextRow {
  return {
    ref: plain(ref, MAX_REF),
    from: isoOf(from),
    to: isoOf(to),
    paidAt: isoOf(paidAt),
    // One that no column holds is unknown.
    total:
      total !== null && Number.isInteger(total) && Math.abs(total) <= MAX_CENTS
        ? decimalFromCents(cents(total))
        : null,
    isClosed: String(isClosed),
  };
}

function refusedRow({ where, why }: RefusedMoney): TextRow {
  return { place: plain(where, MAX_TEXT) ?? why, why };
}

/** Of rows with the same key the last one; those without a key are skipped. */
function newest(rows: readonly TextRow[], keyOf: (row: TextRow) => string | null | undefined): TextRow[] {
  const byKey = new Map(rows.map((row) => [keyOf(row) ?? null, row]));
  byKey.delete(null);
  return [...byKey.values()];
}

/** A text that the database takes; null when nothing is left. */
function plain(text: string | null, length: number): string | null {
  const short = text?.replaceAll('\0', '').trim().slice(0, length).trim() ?? '';
  return short === '' ? null : short;
}

function isoOf(at: Instant | null): string | null {
  return at === null || !Number.isInteger(at) || at < 0 || at > MAX_TIME ? null : new Date(at).toISOString();
}
