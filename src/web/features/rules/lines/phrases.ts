import { type Condition, OFFER_GROUPS, SITUATIONS, SOLD_DAYS, WEEKDAY_NAMES } from '#domain/lines/line.ts';
import { situationWords } from '#domain/lines/parse-condition.ts';
import { type Bps, hours } from '#domain/units.ts';

/** A field of a phrase. */
export interface Hole {
  readonly label: string;
  /** The value of a new one. */
  readonly start: string;
  /** Behind the field: "%", "h". */
  readonly unit?: string;
  /** A choice; without them, typed text. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly isName?: boolean;
}

/** One kind of condition as a fragment of a sentence with fields. */
export interface Phrase {
  readonly id: string;
  readonly group: string;
  /** The fragment before the fields, as the choice of the dropdown shows it. */
  readonly label: string;
  readonly holes: readonly Hole[];
  /** Behind the last field: "or more". */
  readonly end?: string;
  /** The text of the line. */
  readonly text: (values: readonly string[]) => string;
  /** The values of a condition; null for one of another kind. */
  readonly read: (condition: Condition) => readonly string[] | null;
}

const inPercent = (share: Bps): string => String(share / 100);
const hoursOf = (length: number): string => String(length / hours(1));

const share = (start: string): Hole => ({ label: 'Percentage', start, unit: '%' });
const count = (label: string, start: string, unit?: string): Hole => ({
  label,
  start,
  ...(unit !== undefined && { unit }),
});
const NAME: Hole = { label: 'Seller', start: '', isName: true };

/** One situation, or two joined by "or"; three or more are kept and can be edited as text. */
const SITUATION: Hole = {
  label: 'Situation',
  start: 'winning',
  choices: [
    ...SITUATIONS.map((one) => situationWords(one)),
    ...SITUATIONS.flatMap((one, index) =>
      SITUATIONS.slice(index + 1).map((other) => `${situationWords(one)} or ${situationWords(other)}`),
    ),
  ].map((words) => ({ value: words, label: words })),
};
const GROUP: Hole = {
  label: 'Shipped by',
  start: '',
  choices: [{ value: '', label: 'any' }, ...OFFER_GROUPS.map((group) => ({ value: group, label: group }))],
};
const DAYS: Hole = {
  label: 'Days',
  start: '7',
  choices: SOLD_DAYS.map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` })),
};
const weekday = (label: string, start: string): Hole => ({
  label,
  start,
  choices: WEEKDAY_NAMES.map((name) => ({ value: name, label: name })),
});
const timeOf = (minutes: number): string => {
  const minute = minutes % 60;
  const hour = (minutes - minute) / 60;
  return minute === 0 ? String(hour) : `${hour}:${String(minute).padStart(2, '0')}`;
};

const spaced = (words: string | undefined): string => (words ? ` ${words}` : '');

type Spanned = Extract<Condition, { kind: 'box_share' | 'follow' | 'margin' }>['kind'];

/** "margin is at least" and "margin is under". */
function sharePhrases(kind: Spanned, group: string, words: string): Phrase[] {
  return [
    {
      id: `${kind}_min`,
      group,
      label: `${words} is at least`,
      holes: [share('20')],
      text: ([value]) => `${words} ${value}% or more`,
      read: (each) => (each.kind === kind && each.min !== null ? [inPercent(each.min)] : null),
    },
    {
      id: `${kind}_max`,
      group,
      label: `${words} is under`,
      holes: [share('20')],
      text: ([value]) => `${words} under ${value}%`,
      read: (each) =>
        each.kind === kind && each.min === null ? [inPercent(((each.max ?? 0) + 1) as Bps)] : null,
    },
  ];
}

/** "stock is at least" and "stock is at most". */
function countPhrases(kind: 'stock' | 'supply', words: string, unit: string): Phrase[] {
  return (['min', 'max'] as const).map((end) => ({
    id: `${kind}_${end}`,
    group: 'Stock and sales',
    label: `${words} is ${end === 'min' ? 'at least' : 'at most'}`,
    holes: [count('Number', '5', unit || undefined)],
    text: ([value]) => `${kind} ${value}${spaced(unit)} or ${end === 'min' ? 'more' : 'less'}`,
    read: (each) => {
      if (each.kind !== kind || (end === 'min') !== (each.min !== null)) return null;
      return [String(each[end] ?? 0)];
    },
  }));
}

const plain = (id: Condition['kind'], group: string, words: string, label = words): Phrase => ({
  id,
  group,
  label,
  holes: [],
  text: () => words,
  read: (each) => (each.kind === id ? [] : null),
});

const COMPETITORS = 'Competitors';
const SALES = 'Stock and sales';

/** Every kind of condition, in the order of the dropdown. */
export const PHRASES: readonly Phrase[] = [
  {
    id: 'situation',
    group: 'Situation',
    label: 'the situation is',
    holes: [SITUATION],
    text: ([situation]) => situation ?? '',
    read: (each) =>
      each.kind === 'situation' && each.atLeast === null ? [each.any.map(situationWords).join(' or ')] : null,
  },
  {
    id: 'situation_for',
    group: 'Situation',
    label: 'the situation has been',
    holes: [SITUATION, { label: 'Hours', start: '48', unit: 'h' }],
    text: ([situation, length]) => `${situation} for ${length} h`,
    read: (each) =>
      each.kind === 'situation' && each.atLeast !== null
        ? [each.any.map(situationWords).join(' or '), hoursOf(each.atLeast)]
        : null,
  },
  ...sharePhrases('box_share', 'Buy box', 'buy box share'),
  {
    id: 'box_held_by',
    group: 'Buy box',
    label: 'the buy box is held by',
    holes: [NAME],
    text: ([name]) => `buy box held by "${name}"`,
    read: (each) => (each.kind === 'box_held_by' ? [each.name] : null),
  },
  plain(
    'lowest_under_floor',
    COMPETITORS,
    'lowest competitor under my floor',
    'the lowest competitor is below my lowest allowed price',
  ),
  {
    id: 'lowest_above',
    group: COMPETITORS,
    label: 'the lowest competitor is above me by at least',
    holes: [share('5')],
    text: ([value]) => `lowest competitor ${value}% or more above me`,
    read: (each) => (each.kind === 'lowest_above' ? [inPercent(each.min)] : null),
  },
  ...(['min', 'max'] as const).map((end) => ({
    id: `competitors_${end}`,
    group: COMPETITORS,
    label: `there are ${end === 'min' ? 'at least' : 'at most'}`,
    holes: [count('Number', '3'), GROUP],
    end: 'competitors',
    text: ([value, group]: readonly string[]) =>
      `${value} or ${end === 'min' ? 'more' : 'less'}${spaced(group)} competitors`,
    read: (each: Condition) => {
      if (each.kind !== 'competitors' || (end === 'min') !== (each.min !== null)) return null;
      return [String(each[end] ?? 0), each.only ?? ''];
    },
  })),
  {
    id: 'seller_present',
    group: COMPETITORS,
    label: 'this seller is present:',
    holes: [NAME],
    text: ([name]) => `seller "${name}" present`,
    read: (each) => (each.kind === 'seller_present' ? [each.name] : null),
  },
  {
    id: 'lowered',
    group: COMPETITORS,
    label: 'the price was lowered at least',
    holes: [count('Number', '3')],
    end: 'times in 24 h',
    text: ([value]) => `lowered ${value} times or more in 24 h`,
    read: (each) => (each.kind === 'lowered' ? [String(each.min)] : null),
  },
  ...sharePhrases('follow', COMPETITORS, 'competitors follow').map((phrase) => ({
    ...phrase,
    label: phrase.label.replace(' is ', ' '),
  })),
  ...countPhrases('stock', 'the stock', ''),
  ...countPhrases('supply', 'the supply', 'days'),
  {
    id: 'stock_age',
    group: SALES,
    label: 'the stock age is at least',
    holes: [count('Number', '181', 'days')],
    text: ([value]) => `stock age ${value} days or more`,
    read: (each) => (each.kind === 'stock_age' ? [String(each.min)] : null),
  },
  {
    id: 'no_sale',
    group: SALES,
    label: 'there was no sale for',
    holes: [count('Number', '30', 'days')],
    text: ([value]) => `no sale for ${value} days`,
    read: (each) => (each.kind === 'no_sale' ? [String(each.min)] : null),
  },
  ...(['min', 'max'] as const).map((end) => ({
    id: `sold_${end}`,
    group: SALES,
    label: `units sold are ${end === 'min' ? 'at least' : 'at most'}`,
    holes: [count('Number', '1', 'in'), DAYS],
    text: ([value, days]: readonly string[]) =>
      `sold ${value} or ${end === 'min' ? 'more' : 'less'} in ${days} days`,
    read: (each: Condition) => {
      if (each.kind !== 'sold' || (end === 'min') !== (each.min !== null)) return null;
      return [String(each[end] ?? 0), String(each.days)];
    },
  })),
  ...sharePhrases('margin', 'My price', 'margin'),
  plain('at_floor', 'My price', 'price at my floor', 'the price is at my lowest allowed price'),
  plain('at_ceiling', 'My price', 'price at my ceiling', 'the price is at my highest allowed price'),
  {
    id: 'ships',
    group: 'Shipping',
    label: 'the listing ships from',
    holes: [
      {
        label: 'Shipping',
        start: 'we ship',
        choices: [
          { value: 'we ship', label: 'us (FBM)' },
          { value: 'warehouse ships', label: 'the warehouse (FBA/WFS)' },
        ],
      },
    ],
    text: ([value]) => value ?? '',
    read: (each) => (each.kind === 'ships' ? [each.by === 'us' ? 'we ship' : 'warehouse ships'] : null),
  },
  {
    id: 'hours',
    group: 'Time',
    label: 'the hour is from',
    holes: [
      { label: 'From', start: '22', unit: 'to' },
      { label: 'To', start: '4' },
    ],
    text: ([from, to]) => `hours ${from} to ${to}`,
    read: (each) => (each.kind === 'hours' ? [timeOf(each.from), timeOf(each.to)] : null),
  },
  {
    id: 'weekdays',
    group: 'Time',
    label: 'the day is from',
    holes: [{ ...weekday('From', 'mon'), unit: 'to' }, weekday('To', 'fri')],
    text: ([from, to]) => `days ${from} to ${to}`,
    read: (each) =>
      each.kind === 'weekdays'
        ? [WEEKDAY_NAMES[each.from - 1] as string, WEEKDAY_NAMES[each.to - 1] as string]
        : null,
  },
  {
    id: 'dates',
    group: 'Time',
    label: 'the date is from',
    holes: [
      { label: 'From', start: '2026-11-20', unit: 'to' },
      { label: 'To', start: '2026-12-24' },
    ],
    text: ([from, to]) => `date ${from} to ${to}`,
    read: (each) => (each.kind === 'dates' ? [each.from, each.to] : null),
  },
];

/** The phrase of an ID. @throws if there is none */
export function phraseOf(id: string): Phrase {
  const phrase = PHRASES.find((each) => each.id === id);
  if (phrase === undefined) throw new Error(`There is no condition "${id}".`);
  return phrase;
}
