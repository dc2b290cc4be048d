import { DEFAULT_BEAT_OFFSET } from '#domain/decision/strategy-price.ts';
import type { LineTerms, NoCompetitor, Rule } from '#domain/rules/rule.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { type Condition, type Line, type LineAction, SHIFT_AMOUNT, type Target } from './line.ts';

type StrategyRule = LineTerms & Pick<Rule, 'strategy' | 'competitorOffset' | 'noCompetitor' | 'belowFloor'>;

/**
 * Lines that decide like the strategy of a rule: the same outcome, price and limit for every listing, except while no one
 * holds the buy box, which a strategy does not see.
 * @returns null for a rule that has lines, and for an offset that a line cannot have
 */
export function linesOfStrategy(rule: StrategyRule): LineTerms | null {
  if (rule.lines !== null) return null;
  const { targetMargin, marketplaceTargets, winShare } = rule;
  const ignoreUnderFloor = rule.belowFloor === 'skip' ? (0 as Bps) : null;
  const terms = { targetMargin, marketplaceTargets, winShare, onlySameShipping: true, ignoreUnderFloor };
  if (rule.strategy === 'Fixed Margin')
    return { ...terms, ignoreUnderFloor: null, lines: [lineOf([], askFor({ kind: 'floor' }))] };
  const offset = offsetOf(rule);
  if (offset < SHIFT_AMOUNT.min || offset > SHIFT_AMOUNT.max) return null;
  const isLearning = rule.strategy === 'Dynamic Pricing';
  const lines = [
    // What is learned is not known yet, and then the next line decides.
    ...(isLearning ? [lineOf([], askFor({ kind: 'learned' }, 'next_line'))] : []),
    lineOf([ALONE], isLearning ? HOLD : ALONE_ACTIONS[rule.noCompetitor]),
    ...belowFloorLines(rule),
    lineOf([], askFor({ kind: 'lowest', only: null, by: offset === 0 ? null : { all: { amount: offset } } })),
  ];
  return { ...terms, lines };
}

const ALONE: Condition = { kind: 'situation', any: ['alone'], atLeast: null };
const HOLD: LineAction = { kind: 'hold' };

const ALONE_ACTIONS: Readonly<Record<NoCompetitor, LineAction>> = {
  keep: HOLD,
  floor: askFor({ kind: 'floor' }),
  ceiling: askFor({ kind: 'ceiling' }),
};

/** What Match adds to the price of the competitor, and Beat takes off. */
function offsetOf({ strategy, competitorOffset }: StrategyRule): Cents {
  if (strategy !== 'Beat Competitor') return competitorOffset ?? (0 as Cents);
  const by = Math.abs(competitorOffset ?? DEFAULT_BEAT_OFFSET);
  return (by === 0 ? 0 : -by) as Cents;
}

function belowFloorLines({ belowFloor }: StrategyRule): Line[] {
  const below: Condition = { kind: 'lowest_under_floor' };
  if (belowFloor === 'keep') return [lineOf([below], HOLD)];
  return belowFloor === 'ceiling' ? [lineOf([below], askFor({ kind: 'ceiling' }))] : [];
}

function askFor(target: Target, ifTooLow: 'stop' | 'next_line' = 'stop'): LineAction {
  return { kind: 'ask', target, notUnder: null, notOver: null, ifTooLow };
}

function lineOf(when: readonly Condition[], action: LineAction): Line {
  return { when, action, turn: null, asksFirst: false };
}
