import type { Bps } from '#domain/units.ts';
import {
  type Condition,
  DAY_MINUTES,
  OFFER_GROUPS,
  SITUATIONS,
  type Situation,
  SOLD_DAYS,
  type SoldDays,
  WEEKDAY_NAMES,
  type Weekday,
} from './line.ts';
import { readName } from './parse-target.ts';
import type { TextReader } from './text-reader.ts';

/** "winning or losing for 48 h"; null where there is no condition. */
export function readCondition(reader: TextReader): Condition | null {
  for (const read of CONDITIONS) {
    const condition = reader.attempt(() => read(reader));
    if (condition !== null) return condition;
  }
  return null;
}

/** Which words a situation has in the text. */
const SITUATION_WORDS = {
  winning: 'winning',
  losing: 'losing',
  alone: 'alone',
  not_read: 'not read',
  suppressed: 'suppressed',
} as const satisfies Record<Situation, string>;

export function situationWords(situation: Situation): string {
  return SITUATION_WORDS[situation];
}

const COMPETITOR_WORDS = ['competitors', 'competitor'] as const;

type ReadCondition = (reader: TextReader) => Condition | null;

const CONDITIONS: readonly ReadCondition[] = [
  readSituation,
  (reader) =>
    reader.words('box share') || reader.words('buy box share') ? shareSpan(reader, 'box_share') : null,
  (reader) => (reader.words('margin') ? shareSpan(reader, 'margin') : null),
  (reader) => (reader.words('competitors follow') ? shareSpan(reader, 'follow') : null),
  readLowest,
  readCompetitors,
  readLowered,
  (reader) => (reader.words('stock age') ? ageOf(reader, 'stock_age') : null),
  (reader) => (reader.words('stock') ? withSpan(readCountSpan(reader), 'stock') : null),
  (reader) => (reader.words('supply') ? withSpan(readCountSpan(reader, 'days'), 'supply') : null),
  readNoSale,
  readSold,
  (reader) => (reader.words('price at my floor') ? { kind: 'at_floor' } : null),
  (reader) => (reader.words('price at my ceiling') ? { kind: 'at_ceiling' } : null),
  readBoxHolder,
  readSellerPresent,
  readHours,
  readWeekdays,
  readDates,
  (reader) => (reader.words('we ship') ? { kind: 'ships', by: 'us' } : null),
  (reader) => (reader.words('warehouse ships') ? { kind: 'ships', by: 'warehouse' } : null),
];

function readSituation(reader: TextReader): Condition | null {
  const found: Situation[] = [];
  do {
    const at = reader.here();
    const situation = SITUATIONS.find((each) => reader.words(SITUATION_WORDS[each]));
    if (situation === undefined) return null;
    reader.expect(!found.includes(situation), at, 'is there twice');
    found.push(situation);
  } while (reader.words('or'));
  const any = SITUATIONS.filter((situation) => found.includes(situation));
  if (!reader.words('for')) return { kind: 'situation', any, atLeast: null };
  const atLeast = reader.duration();
  return atLeast === null ? null : { kind: 'situation', any, atLeast };
}

/** "20% or more", "under 20%" */
function shareSpan(reader: TextReader, kind: 'box_share' | 'follow' | 'margin'): Condition | null {
  const isUnder = reader.words('under');
  const at = reader.here();
  const share = reader.percent();
  if (share === null || (!isUnder && !reader.words('or more'))) return null;
  reader.expect(share <= 10_000 && !(isUnder && share === 0), at, 'is not from 0% to 100%');
  return isUnder ? { kind, min: null, max: (share - 1) as Bps } : { kind, min: share, max: null };
}

function readLowest(reader: TextReader): Condition | null {
  reader.words('the');
  if (!reader.words('lowest') || reader.oneOf(COMPETITOR_WORDS) === null) return null;
  if (reader.words('under my floor')) return { kind: 'lowest_under_floor' };
  const min = reader.percent();
  return min !== null && reader.words('or more above me') ? { kind: 'lowest_above', min } : null;
}

/** "3 or more merchant competitors" */
function readCompetitors(reader: TextReader): Condition | null {
  const span = readCountSpan(reader);
  if (span === null) return null;
  const only = reader.oneOf(OFFER_GROUPS);
  return reader.oneOf(COMPETITOR_WORDS) === null ? null : { kind: 'competitors', only, ...span };
}

function readLowered(reader: TextReader): Condition | null {
  if (!reader.words('lowered')) return null;
  const at = reader.here();
  const min = reader.count();
  if (min === null || !reader.words('times or more in') || reader.count() !== 24 || !reader.words('h'))
    return null;
  reader.expect(min > 0, at, 'is not 1 or more');
  return { kind: 'lowered', min };
}

function ageOf(reader: TextReader, kind: 'stock_age'): Condition | null {
  const min = reader.count();
  return min !== null && reader.words('days or more') ? { kind, min } : null;
}

function readNoSale(reader: TextReader): Condition | null {
  const min = reader.words('no sale for') ? reader.count() : null;
  return min !== null && reader.words('days') ? { kind: 'no_sale', min } : null;
}

function readSold(reader: TextReader): Condition | null {
  const span = reader.words('sold') ? readCountSpan(reader) : null;
  if (span === null || !reader.words('in')) return null;
  const at = reader.here();
  const days = reader.count();
  if (days === null || !(reader.words('days') || reader.words('day'))) return null;
  reader.expect(
    SOLD_DAYS.some((each) => each === days),
    at,
    'is not 1, 7 or 30',
  );
  return { kind: 'sold', days: days as SoldDays, ...span };
}

interface CountSpan {
  readonly min: number | null;
  readonly max: number | null;
}

/** "5 or more", "5 or less" @param unit a word behind the number */
function readCountSpan(reader: TextReader, unit: string | null = null): CountSpan | null {
  const count = reader.count();
  if (count === null || (unit !== null && !reader.words(unit))) return null;
  if (reader.words('or more')) return { min: count, max: null };
  return reader.words('or less') ? { min: null, max: count } : null;
}

function withSpan(span: CountSpan | null, kind: 'stock' | 'supply'): Condition | null {
  return span === null ? null : { kind, ...span };
}

function readBoxHolder(reader: TextReader): Condition | null {
  if (!reader.words('box held by') && !reader.words('buy box held by')) return null;
  const name = readName(reader);
  return name === null ? null : { kind: 'box_held_by', name };
}

function readSellerPresent(reader: TextReader): Condition | null {
  const name = reader.words('seller') ? readName(reader) : null;
  return name !== null && reader.words('present') ? { kind: 'seller_present', name } : null;
}

function readHours(reader: TextReader): Condition | null {
  const from = reader.words('hours') ? readTimeOfDay(reader) : null;
  const to = from !== null && reader.words('to') ? readTimeOfDay(reader) : null;
  return from === null || to === null ? null : { kind: 'hours', from, to };
}

/** "8", "8:30", up to "24": minutes of the day. */
function readTimeOfDay(reader: TextReader): number | null {
  const at = reader.here();
  const hour = reader.count();
  if (hour === null) return null;
  // Behind the second time the mark ends the conditions of the line, and a blank follows.
  const minute = reader.attempt(() =>
    reader.isJoined() && reader.mark(':') && reader.isJoined() ? reader.count() : null,
  );
  const minutes = hour * 60 + (minute ?? 0);
  reader.expect(minutes <= DAY_MINUTES && (minute ?? 0) < 60, at, 'is not a time from 0 to 24');
  return minutes;
}

function readWeekdays(reader: TextReader): Condition | null {
  const from = reader.words('days') ? readWeekday(reader) : null;
  const to = from !== null && reader.words('to') ? readWeekday(reader) : null;
  return from === null || to === null ? null : { kind: 'weekdays', from, to };
}

function readWeekday(reader: TextReader): Weekday | null {
  const name = reader.oneOf(WEEKDAY_NAMES);
  return name === null ? null : ((WEEKDAY_NAMES.indexOf(name) + 1) as Weekday);
}

function readDates(reader: TextReader): Condition | null {
  if (!reader.words('date') && !reader.words('dates')) return null;
  const at = reader.here();
  const from = readDay(reader);
  const to = from !== null && reader.words('to') ? readDay(reader) : null;
  if (from === null || to === null) return null;
  reader.expect(from <= to, at, 'is after the second day');
  return { kind: 'dates', from, to };
}

/** "2026-12-24" */
function readDay(reader: TextReader): string | null {
  return reader.attempt(() => {
    const at = reader.here();
    const year = reader.count();
    const month = year !== null && reader.mark('-') ? reader.count() : null;
    const day = month !== null && reader.mark('-') ? reader.count() : null;
    if (year === null || month === null || day === null) return null;
    reader.expect(isDay(year, month, day), at, 'is not a day such as 2026-12-24');
    return [String(year), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
  });
}

const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(year: number, month: number, day: number): boolean {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (year < 2000 || year > 9_999 || day < 1 || day > (MONTH_DAYS[month - 1] ?? 0)) return false;
  return month !== 2 || day < 29 || isLeap;
}
