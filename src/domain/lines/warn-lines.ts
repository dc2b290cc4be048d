import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { listText, percentText } from '#domain/text.ts';
import type { Bps } from '#domain/units.ts';
import { spanOf } from './check-lines.ts';
import { looksAtCompetitors } from './compile-condition.ts';
import { compileLines, hasCompetitiveTarget, namesNotRead, targetsOf } from './compile-lines.ts';
import type { Condition, Line, Span, Target } from './line.ts';
import { conditionText } from './print-lines.ts';

/** Something about lines that can be saved and is probably not what the seller wants. */
export interface LineWarning {
  readonly code:
    | 'unreachable'
    | 'target_below_minimum'
    | 'no_buy_box'
    | 'no_featured_price'
    | 'no_competitors'
    | 'shipper_unknown'
    | 'no_losing_line'
    | 'endless_raise'
    | 'rarely_known';
  /** From 1; null for the lines as a whole. */
  readonly line: number | null;
  /** One or two whole sentences. */
  readonly text: string;
}

/** How many listings of the rule know a figure; null where that was not counted. */
export interface KnownFigures {
  readonly listings: number;
  readonly stock: number;
  readonly supply: number;
  readonly stockAge: number;
  readonly sales: number;
}

/** What the warnings are about. */
export interface WarnedRule
  extends Pick<Rule, 'targetMargin' | 'marketplaceTargets' | 'minimumMargin' | 'marketplaceMargins'> {
  readonly lines: readonly Line[];
  /** The marketplaces of the rule. */
  readonly marketplaces: readonly Marketplace[];
  readonly known: KnownFigures | null;
}

/** The warnings of lines that no check refuses, in the order of the lines; those of the whole rule come last. */
export function warningsOf(rule: WarnedRule): readonly LineWarning[] {
  return [
    ...rule.lines.flatMap((line, index) =>
      [
        unreachable(rule, index),
        noBuyBox(rule, line),
        noFeaturedPrice(rule, line),
        shipperUnknown(rule, line),
        endlessRaise(rule, line),
        rarelyKnown(rule, line),
      ].flatMap((warning) => (warning === null ? [] : [{ ...warning, line: index + 1 }])),
    ),
    ...[targetBelowMinimum(rule), noCompetitors(rule), noLosingLine(rule)].flatMap((warning) =>
      warning === null ? [] : [{ ...warning, line: null }],
    ),
  ];
}

type Warning = Omit<LineWarning, 'line'>;

/** An earlier line applies wherever this one does, and never passes on. */
function unreachable({ lines }: WarnedRule, index: number): Warning | null {
  const line = lines[index] as Line;
  const before = lines.slice(0, index).findIndex((earlier) => covers(earlier, line));
  if (before < 0) return null;
  return {
    code: 'unreachable',
    text: `Line ${index + 1} never applies: line ${before + 1} always applies first. Move it up, or give line ${before + 1} a condition.`,
  };
}

function covers(earlier: Line, later: Line): boolean {
  if (!alwaysDecides(earlier)) return false;
  // While competitors are not read, only lines that name it may decide.
  if (namesNotRead(later) && !namesNotRead(earlier)) return false;
  return earlier.when.every((condition) => later.when.some((other) => implies(other, condition)));
}

/** Whether a line whose conditions hold decides for sure: its price is always known and never passed on. */
function alwaysDecides({ action, turn }: Line): boolean {
  if (turn !== null) return false;
  if (action.kind !== 'ask') return true;
  const passesOn = action.ifTooLow === 'next_line' || action.ifTooLow === 'next_competitor';
  return (
    !passesOn && isAlwaysKnown(action.target) && (action.notUnder === null || isAlwaysKnown(action.notUnder))
  );
}

function isAlwaysKnown({ kind }: Target): boolean {
  return kind === 'floor' || kind === 'ceiling' || kind === 'between' || kind === 'current';
}

/** Whether the second condition holds wherever the first one does. */
function implies(one: Condition, other: Condition): boolean {
  if (conditionText(one) === conditionText(other)) return true;
  if (one.kind === 'situation' && other.kind === 'situation') {
    return (
      one.any.every((situation) => other.any.includes(situation)) &&
      (other.atLeast === null || (one.any.length === 1 && (one.atLeast ?? 0) >= other.atLeast))
    );
  }
  if (
    (one.kind === 'lowest_above' && other.kind === 'lowest_above') ||
    (one.kind === 'lowered' && other.kind === 'lowered') ||
    (one.kind === 'stock_age' && other.kind === 'stock_age') ||
    (one.kind === 'no_sale' && other.kind === 'no_sale')
  )
    return one.min >= other.min;
  const [inner, outer] = [spanOf(one), spanOf(other)];
  return inner !== null && outer !== null && inner.of === outer.of && isWithin(inner, outer);
}

function isWithin(inner: Span, outer: Span): boolean {
  const isAbove = outer.min === null || (inner.min !== null && inner.min >= outer.min);
  return isAbove && (outer.max === null || (inner.max !== null && inner.max <= outer.max));
}

function hasBuyBox(marketplace: Marketplace): boolean {
  return CAPABILITIES[marketplace].figures.includes('buy_box');
}

function noBuyBox({ marketplaces }: WarnedRule, { when, action }: Line): Warning | null {
  if (marketplaces.some(hasBuyBox)) return null;
  const asks =
    when.some(({ kind }) => kind === 'box_share' || kind === 'box_held_by') ||
    targetsOf(action).some(({ kind }) => kind === 'box');
  if (!asks) return null;
  return {
    code: 'no_buy_box',
    text: `It uses the buy box, and ${namesOf(marketplaces)} ${haveNone(marketplaces)} one.`,
  };
}

function noFeaturedPrice({ marketplaces }: WarnedRule, { action }: Line): Warning | null {
  if (marketplaces.some((marketplace) => CAPABILITIES[marketplace].featuredPrices)) return null;
  if (!targetsOf(action).some(({ kind }) => kind === 'featured')) return null;
  return {
    code: 'no_featured_price',
    text: `It uses the featured price, and ${namesOf(marketplaces)} ${haveNone(marketplaces)} one.`,
  };
}

/** Differences by shipping where a reading does not say who ships. */
function shipperUnknown({ marketplaces }: WarnedRule, { action }: Line): Warning | null {
  const hidden = marketplaces.filter((marketplace) => CAPABILITIES[marketplace].competitors === 'buy_box');
  if (hidden.length === 0 || hidden.length < marketplaces.length) return null;
  const byShipping = targetsOf(action).some(
    (target) => 'by' in target && target.by !== null && 'byRelation' in target.by,
  );
  if (!byShipping) return null;
  return {
    code: 'shipper_unknown',
    text: `${namesOf(hidden)} often ${hidden.length === 1 ? 'does' : 'do'} not report who ships an offer. Such an offer counts as faster if you ship, and as equal if the warehouse does.`,
  };
}

function endlessRaise({ marketplaces }: WarnedRule, { when, action }: Line): Warning | null {
  if (action.kind !== 'raise' || action.to !== null) return null;
  if (!marketplaces.some((marketplace) => CAPABILITIES[marketplace].competitors === 'offers')) return null;
  const isWhileWinning = when.some(
    (condition) => condition.kind === 'situation' && condition.any.includes('winning'),
  );
  if (!isWhileWinning) return null;
  return {
    code: 'endless_raise',
    text: 'It raises until you no longer win. Add "up to" and a price, such as the lowest competitor.',
  };
}

const FIGURE_OF: Partial<Record<Condition['kind'], readonly [keyof KnownFigures, string]>> = {
  stock: ['stock', 'stock'],
  supply: ['supply', 'days of supply'],
  stock_age: ['stockAge', 'stock age'],
  sold: ['sales', 'sales'],
  no_sale: ['sales', 'sales'],
};

function rarelyKnown({ known }: WarnedRule, { when }: Line): Warning | null {
  if (known === null || known.listings === 0) return null;
  for (const { kind } of when) {
    const figure = FIGURE_OF[kind];
    if (figure === undefined) continue;
    const count = known[figure[0]];
    if (count * 2 >= known.listings) continue;
    return {
      code: 'rarely_known',
      text: `The ${figure[1]} of only ${count} of ${known.listings} listings ${figure[0] === 'sales' ? 'are' : 'is'} known. This line never applies to the others.`,
    };
  }
  return null;
}

function targetBelowMinimum(rule: WarnedRule): Warning | null {
  const { lines, marketplaces, targetMargin, marketplaceTargets, minimumMargin, marketplaceMargins } = rule;
  const usesTarget = lines.some(({ action }) =>
    targetsOf(action).some((target) => target.kind === 'margin' && target.margin === null),
  );
  if (!usesTarget) return null;
  const below = marketplaces.filter((marketplace) => {
    const target = marketplaceTargets[marketplace] ?? targetMargin;
    return target !== null && target < (marketplaceMargins[marketplace] ?? minimumMargin);
  });
  const [first] = below;
  if (first === undefined) return null;
  const target = marketplaceTargets[first] ?? targetMargin;
  const minimum = marketplaceMargins[first] ?? minimumMargin;
  const where = below.length === marketplaces.length ? '' : ` on ${namesOf(below)}`;
  return {
    code: 'target_below_minimum',
    text: `The target margin of ${percentText(target as Bps)} is below the minimum margin of ${percentText(minimum)}${where}, so the minimum margin is used.`,
  };
}

function noCompetitors({ lines, marketplaces }: WarnedRule): Warning | null {
  if (!compileLines(lines).lookAtCompetitors || marketplaces.length === 0) return null;
  if (marketplaces.some((marketplace) => CAPABILITIES[marketplace].competitors !== 'none')) return null;
  return {
    code: 'no_competitors',
    text: `${namesOf(marketplaces)} ${marketplaces.length === 1 ? 'does' : 'do'} not share competitor offers, so a listing without imported offers counts as alone.`,
  };
}

/** No line can decide while losing: the price then stays whatever competitors do. */
function noLosingLine({ lines }: WarnedRule): Warning | null {
  const looks = lines.some((line) => line.when.some(looksAtCompetitors) || hasCompetitiveTarget(line));
  if (!looks || lines.some((line) => canDecideLosing(line))) return null;
  return {
    code: 'no_losing_line',
    text: 'No line applies while you are losing, so the price stays.',
  };
}

function canDecideLosing({ when }: Line): boolean {
  return when.every((condition) => condition.kind !== 'situation' || condition.any.includes('losing'));
}

function namesOf(marketplaces: readonly Marketplace[]): string {
  return listText(marketplaces.map((marketplace) => MARKETPLACE_NAMES[marketplace]));
}

function haveNone(marketplaces: readonly Marketplace[]): string {
  return marketplaces.length === 1 ? 'does not have' : 'do not have';
}
