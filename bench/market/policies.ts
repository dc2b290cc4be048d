import { bps, cents } from '#domain/units.ts';
import { engine } from './engine-policy.ts';
import type { Policy } from './observation.ts';

/** The four strategies with the settings that sellers use. A policy's name is its key in the result. */
export const STRATEGY_POLICIES: readonly Policy[] = [
  engine('Match', { strategy: 'Match Competitor' }),
  engine('Match, up when too low', {
    strategy: 'Match Competitor',
    belowFloor: 'ceiling',
    noCompetitor: 'ceiling',
  }),
  engine('Beat by $0.01', { strategy: 'Beat Competitor' }),
  engine('Beat by $0.01, up when too low', {
    strategy: 'Beat Competitor',
    belowFloor: 'ceiling',
    noCompetitor: 'ceiling',
  }),
  engine('Beat by $0.01, skip when too low', { strategy: 'Beat Competitor', belowFloor: 'skip' }),
  engine('Beat by $1.00', { strategy: 'Beat Competitor', competitorOffset: cents(100) }),
  engine('Fixed Margin', { strategy: 'Fixed Margin' }),
  engine('Fixed Margin 25%', { strategy: 'Fixed Margin', minimumMargin: bps(2_500) }),
  engine('Dynamic Pricing', { strategy: 'Dynamic Pricing' }),
];
