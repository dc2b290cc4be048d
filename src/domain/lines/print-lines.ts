import { moneyText, percentText } from '#domain/text.ts';
import { type Bps, type Cents, hours, type Millis } from '#domain/units.ts';
import {
  type Condition,
  type IfTooLow,
  type Line,
  type LineAction,
  RELATIONS,
  type Relation,
  type Shift,
  type Shifts,
  type Span,
  type Target,
  WEEKDAY_NAMES,
} from './line.ts';
import { situationWords } from './parse-condition.ts';

/** The text of the lines of a rule, one line each. `parseLines` reads the same lines from it. */
export function printLines(lines: readonly Line[]): string {
  return lines.map((line, index) => printLine(line, index > 0 && index === lines.length - 1)).join('\n');
}

/** One line. @param isLast a last line without conditions begins with "otherwise" */
function printLine(line: Line, isLast: boolean): string {
  const conditions = line.when.map(conditionText).join(' and ');
  const start = conditions === '' ? (isLast ? 'otherwise: ' : '') : `${conditions}: `;
  return `${start}${actionText(line)}`;
}

/** The texts of the parts of a line. */
interface PartTexts {
  /** What it does, without its conditions. */
  readonly action: string;
  readonly conditions: readonly string[];
}

const partsByLine = new WeakMap<Line, PartTexts>();

/** The texts of the parts of a line: lines never change, so they are printed once for many listings. */
export function partTexts(line: Line): PartTexts {
  const known = partsByLine.get(line);
  if (known !== undefined) return known;
  const texts = { action: actionText(line), conditions: line.when.map(conditionText) };
  partsByLine.set(line, texts);
  return texts;
}

/** What a line does, without its conditions. */
function actionText({ action, turn, asksFirst }: Line): string {
  const parts = [
    ...actionParts(action),
    ...(turn === null ? [] : [`for ${hoursText(turn.lasts)} then not for ${hoursText(turn.rests)}`]),
    ...(asksFirst ? ['ask first'] : []),
  ];
  return parts.join(', ');
}

const IF_TOO_LOW_TEXT = {
  stop: [],
  keep: ['else keep'],
  next_competitor: ['else next competitor'],
  next_line: ['else next line'],
} as const satisfies Record<IfTooLow, readonly string[]>;

function actionParts(action: LineAction): string[] {
  switch (action.kind) {
    case 'hold':
      return ['hold'];
    case 'ask':
      return [
        targetText(action.target),
        ...(action.notUnder === null ? [] : [`not under ${targetText(action.notUnder)}`]),
        ...(action.notOver === null ? [] : [`not over ${targetText(action.notOver)}`]),
        ...IF_TOO_LOW_TEXT[action.ifTooLow],
      ];
    case 'raise':
    case 'lower': {
      const to =
        action.to === null ? '' : ` ${action.kind === 'raise' ? 'up' : 'down'} to ${targetText(action.to)}`;
      return [`${action.kind} ${amountText(action.by)} every ${hoursText(action.every)}${to}`];
    }
  }
}

export function targetText(target: Target): string {
  switch (target.kind) {
    case 'lowest':
      return shiftedText(`the lowest${target.only === null ? '' : ` ${target.only}`}`, target.by);
    case 'seller':
      return shiftedText(`seller "${target.name}"`, target.by);
    case 'box':
      return shiftedText('the buy box', target.by);
    case 'featured':
    case 'own':
    case 'current':
    case 'external':
      return `${beforeText(target.by)}${target.kind} price`;
    case 'sister':
      return `${beforeText(target.by)}price of SKU "${target.sku}"${target.marketplace === null ? '' : ` on ${target.marketplace}`}`;
    case 'channel':
      return `${beforeText(target.by)}my ${target.marketplace} price`;
    case 'margin':
      return target.margin === null ? 'target margin' : `margin ${percentText(target.margin)}`;
    case 'cost_plus':
      return `cost +${percentText(target.percent)}`;
    case 'between':
      return `${percentText(target.percent)} between floor and ceiling`;
    case 'learned':
      return 'learned price';
    case 'floor':
    case 'ceiling':
      return target.kind;
  }
}

function shiftedText(base: string, by: Shifts | null): string {
  if (by === null) return base;
  if ('all' in by) return `${beforeText(by.all)}${base}`;
  const named = RELATIONS.filter((relation) => by.byRelation[relation] !== undefined);
  const { equal } = by.byRelation;
  const isBefore = isDifference(equal) && named.length > 1;
  const bracket = named
    .filter((relation) => !(isBefore && relation === 'equal'))
    .map((relation) => bracketText(relation, by.byRelation[relation] as Shift | 'ignore'));
  return `${isBefore && isDifference(equal) ? beforeText(equal) : ''}${base} (${bracket.join(', ')})`;
}

function isDifference(shift: Shift | 'ignore' | undefined): shift is Shift {
  return shift !== undefined && shift !== 'ignore' && !('amount' in shift && shift.amount === 0);
}

function bracketText(relation: Relation, shift: Shift | 'ignore'): string {
  if (shift === 'ignore') return `ignore ${relation}`;
  return isDifference(shift) ? `${beforeText(shift)}${relation}` : `same as ${relation}`;
}

/** "4% under ", "$0.25 over " */
export function beforeText(shift: Shift | null): string {
  if (shift === null) return '';
  const isUnder = ('percent' in shift ? shift.percent : shift.amount) < 0;
  return `${amountText(shift)} ${isUnder ? 'under' : 'over'} `;
}

/** "4%", "$0.25": without the direction. */
export function amountText(shift: Shift): string {
  return 'percent' in shift
    ? percentText(Math.abs(shift.percent) as Bps)
    : moneyText(Math.abs(shift.amount) as Cents).replaceAll(',', '');
}

/** "48 h", "0.25 h" */
export function hoursText(length: Millis): string {
  return `${length / hours(1)} h`;
}

export function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'situation': {
      const any = condition.any.map(situationWords).join(' or ');
      return condition.atLeast === null ? any : `${any} for ${hoursText(condition.atLeast)}`;
    }
    case 'box_share':
      return `buy box share ${shareText(condition)}`;
    case 'follow':
      return `competitors follow ${shareText(condition)}`;
    case 'margin':
      return `margin ${shareText(condition)}`;
    case 'lowest_under_floor':
      return 'lowest competitor under my floor';
    case 'lowest_above':
      return `lowest competitor ${percentText(condition.min)} or more above me`;
    case 'competitors':
      return `${countText(condition)}${condition.only === null ? '' : ` ${condition.only}`} competitors`;
    case 'lowered':
      return `lowered ${condition.min} times or more in 24 h`;
    case 'stock':
      return `stock ${countText(condition)}`;
    case 'supply':
      return `supply ${countText(condition, ' days')}`;
    case 'stock_age':
      return `stock age ${condition.min} days or more`;
    case 'no_sale':
      return `no sale for ${condition.min} days`;
    case 'sold':
      return `sold ${countText(condition)} in ${condition.days} days`;
    case 'at_floor':
      return 'price at my floor';
    case 'at_ceiling':
      return 'price at my ceiling';
    case 'box_held_by':
      return `buy box held by "${condition.name}"`;
    case 'seller_present':
      return `seller "${condition.name}" present`;
    case 'hours':
      return `hours ${timeText(condition.from)} to ${timeText(condition.to)}`;
    case 'weekdays':
      return `days ${WEEKDAY_NAMES[condition.from - 1]} to ${WEEKDAY_NAMES[condition.to - 1]}`;
    case 'dates':
      return `date ${condition.from} to ${condition.to}`;
    case 'ships':
      return condition.by === 'us' ? 'we ship' : 'warehouse ships';
  }
}

function shareText({ min, max }: Span<Bps>): string {
  return min === null ? `under ${percentText(((max ?? 0) + 1) as Bps)}` : `${percentText(min)} or more`;
}

function countText({ min, max }: Span, unit = ''): string {
  return min === null ? `${max ?? 0}${unit} or less` : `${min}${unit} or more`;
}

function timeText(minutes: number): string {
  const minute = minutes % 60;
  const hour = (minutes - minute) / 60;
  return minute === 0 ? String(hour) : `${hour}:${String(minute).padStart(2, '0')}`;
}
