import type { Condition, IfTooLow, Line, Relation, Shift, Shifts, Target } from '#domain/lines/line.ts';
import { RELATIONS } from '#domain/lines/line.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { type Bps, hours } from '#domain/units.ts';
import { PHRASES, phraseOf } from './phrases.ts';

/** A line as dropdowns and fields: text everywhere, so that nothing typed is lost. */
export interface LineForm {
  readonly when: readonly ConditionForm[];
  readonly act: 'hold' | 'ask' | 'raise' | 'lower';
  /** Of `ask`. */
  readonly target: TargetForm;
  readonly notUnder: TargetForm | null;
  readonly notOver: TargetForm | null;
  readonly ifTooLow: IfTooLow;
  /** Of `raise` and `lower`. */
  readonly step: AmountForm;
  readonly every: string;
  readonly to: TargetForm | null;
  readonly turn: { readonly lasts: string; readonly rests: string } | null;
  readonly asksFirst: boolean;
}

export interface ConditionForm {
  readonly phrase: string;
  readonly values: readonly string[];
}

export interface AmountForm {
  readonly amount: string;
  readonly unit: '%' | '$';
}

export type ShiftWay = 'at' | 'under' | 'over';

export interface TargetForm {
  /** One of {@link BASES}. */
  readonly base: string;
  /** The name of the seller, the code of the SKU, or the percentage of a margin. */
  readonly value: string;
  readonly how: ShiftWay;
  readonly by: AmountForm;
  /** Other differences by how an offer ships. */
  readonly others: readonly OtherForm[];
}

export interface OtherForm {
  readonly relation: Relation;
  readonly how: ShiftWay | 'ignore';
  readonly by: AmountForm;
}

/** What a target can be: the text before and behind its value, and whether it takes a difference. */
interface Base {
  readonly id: string;
  readonly label: string;
  readonly value: 'name' | 'sku' | 'percent' | null;
  readonly shift: 'relations' | 'one' | null;
  readonly text: (value: string) => string;
}

const base = (
  id: string,
  label: string,
  shift: Base['shift'],
  text: Base['text'] = () => id,
  value: Base['value'] = null,
): Base => ({ id, label, shift, text, value });

/** In the order of the dropdown. */
export const BASES: readonly Base[] = [
  base('the lowest', 'the lowest competitor', 'relations'),
  base('the lowest warehouse', 'the lowest warehouse offer', 'relations'),
  base('the lowest merchant', 'the lowest merchant offer', 'relations'),
  base('the lowest marketplace', "the marketplace's own offer", 'relations'),
  base('the buy box', 'the buy box', 'relations'),
  base('seller', 'the seller', 'relations', (name) => `seller "${name}"`, 'name'),
  base('featured price', 'the featured price', 'one'),
  base('own price', 'my own price', 'one'),
  base('current price', 'the current price', 'one'),
  base('target margin', 'my target margin', null),
  base('margin', 'a margin of', null, (value) => `margin ${value}%`, 'percent'),
  base('cost', 'the cost plus', null, (value) => `cost +${value}%`, 'percent'),
  base('floor', 'my lowest allowed price', null),
  base('ceiling', 'my highest allowed price', null),
  base(
    'between',
    'between lowest and highest, at',
    null,
    (value) => `${value}% between floor and ceiling`,
    'percent',
  ),
  ...MARKETPLACES.map((marketplace) => base(`my ${marketplace} price`, `my ${marketplace} price`, 'one')),
  base('external price', 'the external price', 'one'),
  base('sku', 'the price of my SKU', 'one', (sku) => `price of SKU "${sku}"`, 'sku'),
  ...MARKETPLACES.map((marketplace) =>
    base(
      `sku on ${marketplace}`,
      `the price on ${marketplace} of my SKU`,
      'one',
      (sku) => `price of SKU "${sku}" on ${marketplace}`,
      'sku',
    ),
  ),
  base('learned price', 'the learned price', null),
];

export function baseOf(id: string): Base {
  const found = BASES.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no price "${id}".`);
  return found;
}

const ONE: AmountForm = { amount: '1', unit: '%' };
const PLAIN_TARGET: TargetForm = {
  base: 'the lowest',
  value: '20',
  how: 'under',
  by: { amount: '4', unit: '%' },
  others: [],
};
/** For a bound: a price of our own. */
export const OWN_TARGET: TargetForm = { ...PLAIN_TARGET, base: 'own price', how: 'at', by: ONE };

/** A line that was just added. */
export const NEW_LINE: LineForm = {
  when: [],
  act: 'ask',
  target: PLAIN_TARGET,
  notUnder: null,
  notOver: null,
  ifTooLow: 'stop',
  step: ONE,
  every: '24',
  to: null,
  turn: null,
  asksFirst: false,
};

/** The form of a line that was read. */
export function formOfLine({ when, action, turn, asksFirst }: Line): LineForm {
  const common = {
    ...NEW_LINE,
    when: when.map(conditionForm),
    act: action.kind,
    asksFirst,
    turn: turn === null ? null : { lasts: hoursOf(turn.lasts), rests: hoursOf(turn.rests) },
  };
  if (action.kind === 'hold') return common;
  if (action.kind === 'ask') {
    return {
      ...common,
      target: targetForm(action.target),
      notUnder: action.notUnder === null ? null : targetForm(action.notUnder),
      notOver: action.notOver === null ? null : targetForm(action.notOver),
      ifTooLow: action.ifTooLow,
    };
  }
  return {
    ...common,
    step: amountForm(action.by),
    every: hoursOf(action.every),
    to: action.to === null ? null : targetForm(action.to),
  };
}

const IF_TOO_LOW_TEXT = {
  stop: '',
  keep: ', else keep',
  next_competitor: ', else next competitor',
  next_line: ', else next line',
} as const satisfies Record<IfTooLow, string>;

/** The text of a form, as it would be typed. It may be one that is not understood, such as while a field is blank. */
export function textOfForm(form: LineForm): string {
  const conditions = form.when.map(conditionFormText).join(' and ');
  const turn = form.turn === null ? '' : `, for ${form.turn.lasts} h then not for ${form.turn.rests} h`;
  return `${conditions === '' ? '' : `${conditions}: `}${actionText(form)}${turn}${form.asksFirst ? ', ask first' : ''}`;
}

export function conditionFormText({ phrase, values }: ConditionForm): string {
  return phraseOf(phrase).text(values);
}

function actionText(form: LineForm): string {
  const { act, target, notUnder, notOver, ifTooLow, step, every, to } = form;
  switch (act) {
    case 'hold':
      return 'hold';
    case 'ask':
      return `${targetText(target)}${notUnder === null ? '' : `, not under ${targetText(notUnder)}`}${notOver === null ? '' : `, not over ${targetText(notOver)}`}${IF_TOO_LOW_TEXT[ifTooLow]}`;
    case 'raise':
    case 'lower': {
      const end = to === null ? '' : ` ${act === 'raise' ? 'up' : 'down'} to ${targetText(to)}`;
      return `${act} ${amountText(step)} every ${every} h${end}`;
    }
  }
}

function targetText({ base: id, value, how, by, others }: TargetForm): string {
  const { text, shift } = baseOf(id);
  const before = shift === null || how === 'at' ? '' : `${amountText(by)} ${how} `;
  const bracket = shift === 'relations' && others.length > 0 ? ` (${others.map(otherText).join(', ')})` : '';
  return `${before}${text(value)}${bracket}`;
}

function otherText({ relation, how, by }: OtherForm): string {
  if (how === 'ignore') return `ignore ${relation}`;
  return how === 'at' ? `same as ${relation}` : `${amountText(by)} ${how} ${relation}`;
}

function amountText({ amount, unit }: AmountForm): string {
  return unit === '%' ? `${amount}%` : `$${amount}`;
}

function conditionForm(condition: Condition): ConditionForm {
  for (const { id, read } of PHRASES) {
    const values = read(condition);
    if (values !== null) return { phrase: id, values };
  }
  throw new Error(`No phrase for ${condition.kind}.`);
}

function targetForm(target: Target): TargetForm {
  const own = { ...PLAIN_TARGET, how: 'at' as const, by: ONE };
  switch (target.kind) {
    case 'lowest':
      return {
        ...own,
        base: target.only === null ? 'the lowest' : `the lowest ${target.only}`,
        ...shifts(target.by),
      };
    case 'box':
      return { ...own, base: 'the buy box', ...shifts(target.by) };
    case 'seller':
      return { ...own, base: 'seller', value: target.name, ...shifts(target.by) };
    case 'featured':
    case 'own':
    case 'current':
    case 'external':
      return { ...own, base: `${target.kind} price`, ...oneShift(target.by) };
    case 'sister':
      return {
        ...own,
        base: target.marketplace === null ? 'sku' : `sku on ${target.marketplace}`,
        value: target.sku,
        ...oneShift(target.by),
      };
    case 'channel':
      return { ...own, base: `my ${target.marketplace} price`, ...oneShift(target.by) };
    case 'margin':
      return target.margin === null
        ? { ...own, base: 'target margin' }
        : { ...own, base: 'margin', value: inPercent(target.margin) };
    case 'cost_plus':
      return { ...own, base: 'cost', value: inPercent(target.percent) };
    case 'between':
      return { ...own, base: 'between', value: inPercent(target.percent) };
    case 'floor':
    case 'ceiling':
      return { ...own, base: target.kind };
    case 'learned':
      return { ...own, base: 'learned price' };
  }
}

type ShiftParts = Pick<TargetForm, 'how' | 'by'> & Partial<Pick<TargetForm, 'others'>>;

function shifts(by: Shifts | null): ShiftParts {
  if (by === null || 'all' in by) return oneShift(by === null ? null : by.all);
  const named = RELATIONS.filter((relation) => by.byRelation[relation] !== undefined);
  const { equal } = by.byRelation;
  // Alone in the bracket, it would be a difference for all offers in front of the price.
  const isBefore = named.length > 1 && equal !== undefined && equal !== 'ignore' && !isSame(equal);
  const others = named
    .filter((relation) => !(isBefore && relation === 'equal'))
    .map((relation): OtherForm => {
      const shift = by.byRelation[relation] as Shift | 'ignore';
      return shift === 'ignore' ? { relation, how: 'ignore', by: ONE } : { relation, ...oneShift(shift) };
    });
  return { ...oneShift(isBefore ? equal : null), others };
}

function isSame(shift: Shift): boolean {
  return 'amount' in shift && shift.amount === 0;
}

function oneShift(shift: Shift | null): { how: ShiftWay; by: AmountForm } {
  if (shift === null || isSame(shift)) return { how: 'at', by: ONE };
  const isUnder = ('percent' in shift ? shift.percent : shift.amount) < 0;
  return { how: isUnder ? 'under' : 'over', by: amountForm(shift) };
}

function amountForm(shift: Shift): AmountForm {
  return 'percent' in shift
    ? { amount: inPercent(Math.abs(shift.percent) as Bps), unit: '%' }
    : { amount: (Math.abs(shift.amount) / 100).toFixed(2), unit: '$' };
}

function inPercent(share: Bps): string {
  return String(share / 100);
}

function hoursOf(length: number): string {
  return String(length / hours(1));
}
