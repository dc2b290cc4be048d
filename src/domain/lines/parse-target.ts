import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents } from '#domain/units.ts';
import {
  MAX_NAME,
  OFFER_GROUPS,
  RELATIONS,
  type Relation,
  SAME,
  SHIFT_AMOUNT,
  SHIFT_PERCENT,
  type Shift,
  type Shifts,
  type Target,
} from './line.ts';
import type { TextReader } from './text-reader.ts';

/** "4% under the lowest (12% under faster)"; null where there is no target. */
export function readTarget(reader: TextReader): Target | null {
  return reader.attempt(() => {
    const share = readBetween(reader);
    if (share !== null) return share;
    const at = reader.here();
    const by = readShift(reader);
    return readShiftable(reader, by) ?? (by === null || isNone(by) ? readPlain(reader) : null) ?? missing();

    function missing(): null {
      // "5% over floor": understood, and no such target.
      if (by !== null && !isNone(by) && readPlain(reader) !== null) {
        reader.expect(
          false,
          at,
          'can shift no allowed price, margin or cost: write own price, current price, external price, or a competitor',
        );
      }
      return null;
    }
  });
}

/** "50% between floor and ceiling" */
function readBetween(reader: TextReader): Target | null {
  return reader.attempt(() => {
    const at = reader.here();
    const percent = reader.percent();
    if (percent === null || !reader.words('between floor and ceiling')) return null;
    reader.expect(percent <= 10_000, at, 'is not from 0% to 100%');
    return { kind: 'between', percent };
  });
}

/** "4% under", "$0.25 over"; of zero the shift is {@link SAME}. */
function readShift(reader: TextReader): Shift | null {
  return reader.attempt(() => {
    const at = reader.here();
    const percent = reader.percent();
    const amount = percent === null ? reader.amount() : null;
    if (percent === null && amount === null) return null;
    const side = reader.oneOf(['under', 'over']);
    if (side === null) return null;
    const sign = side === 'under' ? -1 : 1;
    if (percent !== null) {
      const signed = (sign * percent) as Bps;
      reader.expect(
        signed >= SHIFT_PERCENT.min && signed <= SHIFT_PERCENT.max,
        at,
        'is not from 50% under to 100% over',
      );
      return signed === 0 ? SAME : { percent: signed };
    }
    const signed = (sign * (amount ?? 0)) as Cents;
    reader.expect(signed >= SHIFT_AMOUNT.min && signed <= SHIFT_AMOUNT.max, at, 'is more than $1,000.00');
    return signed === 0 ? SAME : { amount: signed };
  });
}

function isNone(shift: Shift): boolean {
  return 'amount' in shift && shift.amount === 0;
}

function readShiftable(reader: TextReader, first: Shift | null): Target | null {
  const by = first === null || isNone(first) ? null : first;
  return (
    reader.attempt(() => {
      reader.words('the');
      if (reader.words('lowest')) {
        const only = reader.oneOf(OFFER_GROUPS);
        return { kind: 'lowest', only, by: readShifts(reader, by) };
      }
      if (reader.words('buy box') || reader.words('box')) return { kind: 'box', by: readShifts(reader, by) };
      return null;
    }) ??
    reader.attempt(() => {
      if (!reader.words('seller')) return null;
      const name = readName(reader);
      return name === null ? null : { kind: 'seller', name, by: readShifts(reader, by) };
    }) ??
    (reader.words('featured price') ? { kind: 'featured', by } : null) ??
    (reader.words('own price') ? { kind: 'own', by } : null) ??
    (reader.words('current price') ? { kind: 'current', by } : null) ??
    (reader.words('external price') ? { kind: 'external', by } : null) ??
    readSister(reader, by) ??
    reader.attempt(() => {
      const marketplace = reader.words('my') ? reader.oneOf(MARKETPLACES) : null;
      return marketplace !== null && reader.words('price') ? channel(marketplace) : null;
    })
  );

  function channel(marketplace: Marketplace): Target {
    return { kind: 'channel', marketplace, by };
  }
}

/** `price of SKU "MUG-2" on amazon` */
function readSister(reader: TextReader, by: Shift | null): Target | null {
  return reader.attempt(() => {
    reader.words('the');
    if (!reader.words('price of sku')) return null;
    const sku = readName(reader);
    if (sku === null) return null;
    if (!reader.words('on')) return { kind: 'sister', sku, marketplace: null, by };
    const marketplace = reader.oneOf(MARKETPLACES);
    return marketplace === null ? null : { kind: 'sister', sku, marketplace, by };
  });
}

/** The name of a seller or the code of a SKU in quotes. */
export function readName(reader: TextReader): string | null {
  const at = reader.here();
  const name = reader.name();
  if (name !== null)
    reader.expect(name !== '' && name.length <= MAX_NAME, at, `is not a name of 1 to ${MAX_NAME} characters`);
  return name;
}

/** The shift before the target, and the bracket behind it. */
function readShifts(reader: TextReader, before: Shift | null): Shifts | null {
  const at = reader.here();
  const bracket = reader.attempt(() => readBracket(reader));
  if (bracket === null) return before === null ? null : { all: before };
  if (before === null) return { byRelation: bracket };
  reader.expect(bracket.equal === undefined, at, 'has a second shift for equal offers');
  return { byRelation: { equal: before, ...bracket } };
}

function readBracket(reader: TextReader): Partial<Record<Relation, Shift | 'ignore'>> | null {
  if (!reader.mark('(')) return null;
  const shifts: Partial<Record<Relation, Shift | 'ignore'>> = {};
  do {
    const at = reader.here();
    const shift = readBracketShift(reader);
    const relation = shift === null ? null : reader.oneOf(RELATIONS);
    if (shift === null || relation === null) return null;
    reader.expect(shifts[relation] === undefined, at, `repeats ${relation}`);
    shifts[relation] = shift;
  } while (reader.mark(','));
  return reader.mark(')') ? shifts : null;
}

function readBracketShift(reader: TextReader): Shift | 'ignore' | null {
  if (reader.words('ignore')) return 'ignore';
  return reader.words('same as') ? SAME : readShift(reader);
}

/** Targets that cannot be shifted. */
function readPlain(reader: TextReader): Target | null {
  if (reader.words('floor')) return { kind: 'floor' };
  if (reader.words('ceiling')) return { kind: 'ceiling' };
  if (reader.words('target margin')) return { kind: 'margin', margin: null };
  if (reader.words('learned price')) return { kind: 'learned' };
  return readMargin(reader) ?? readCostPlus(reader);
}

function readMargin(reader: TextReader): Target | null {
  return reader.attempt(() => {
    if (!reader.words('margin')) return null;
    const at = reader.here();
    const margin = reader.percent();
    if (margin === null) return null;
    reader.expect(margin < 10_000, at, 'is not a margin from 0% to 99.99%');
    return { kind: 'margin', margin };
  });
}

function readCostPlus(reader: TextReader): Target | null {
  return reader.attempt(() => {
    if (!reader.words('cost') || !reader.mark('+')) return null;
    const at = reader.here();
    const percent = reader.percent();
    if (percent === null) return null;
    reader.expect(percent <= 100_000, at, 'is more than 1000%');
    return { kind: 'cost_plus', percent };
  });
}
