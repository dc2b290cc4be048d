import {
  CircleSlash,
  Clock,
  Hand,
  type LucideIcon,
  ShieldAlert,
  ShieldHalf,
  Swords,
  TrendingDown,
  Upload,
} from 'lucide-react';
import type { ComponentProps } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { formatMoney } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { problemOf } from './listings-text.ts';
import { priceInProgressBadge } from './price-status-badge.tsx';

/** A problem of a listing, in two or three words. */
export interface ListingBadge {
  readonly tone: ComponentProps<typeof Badge>['tone'];
  readonly icon: LucideIcon;
  readonly text: string;
  /** Tooltip; empty if the text is enough. */
  readonly tip: string;
}

const TONES: readonly ListingBadge['tone'][] = ['danger', 'warning', 'info'];

/** What asks most for attention about a listing, with its other states, their causes and fixes in the tooltip; null where nothing does. */
export function badgeOf(row: ListingRow): ListingBadge | null {
  const [worst, ...others] = statesOf(row);
  if (worst === undefined || others.length === 0) return worst ?? null;
  const also = `Also: ${others.map(({ text, tip }) => (tip === '' ? `${text}.` : `${text}. ${tip}`)).join(' ')}`;
  return { ...worst, tip: worst.tip === '' ? also : `${worst.tip} ${also}` };
}

/** What asks for attention about a listing, the worst first. */
export function statesOf(row: ListingRow): readonly ListingBadge[] {
  const problem = problemOf(row);
  const states: (ListingBadge | null)[] = [
    lossBadge(row),
    problem && { tone: 'danger', icon: CircleSlash, text: problem.text, tip: problem.fix },
    priceBadge(row),
    isStoppedAtFloor(row) ? { tone: 'warning', icon: ShieldHalf, text: 'At margin floor', tip: '' } : null,
    row.hold && { tone: 'warning', icon: Hand, text: 'On hold', tip: holdText(row.hold) },
    row.priceInProgress && priceInProgressBadge(row, row.priceInProgress),
    row.awaitingUploadSince === null ? null : { tone: 'info', icon: Upload, text: 'To upload', tip: '' },
  ];
  const known = states.filter((state) => state !== null);
  return TONES.flatMap((tone) => known.filter((state) => state.tone === tone));
}

/** "Loses $5.62 a sale", at the current price. */
function lossBadge({ profit }: ListingRow): ListingBadge | null {
  if (profit === null || !profit.startsWith('-')) return null;
  return {
    tone: 'danger',
    icon: TrendingDown,
    text: `Loses ${formatMoney(profit.slice(1))} a sale`,
    tip: '',
  };
}

/** Whether the margin floor keeps the price above a competitor, and not because the strategy sets it there on purpose. */
function isStoppedAtFloor({ currentPrice, marginFloor, competitorPrice, rule }: ListingRow): boolean {
  // Which of its lines decides is not known here.
  const isFixed = rule !== null && !rule.hasLines && rule.strategy === 'Fixed Margin';
  const isUndercut = competitorPrice !== null && Number(competitorPrice) < Number(currentPrice);
  return currentPrice === marginFloor && isUndercut && !isFixed;
}

/** Why a price is not at its target. */
function priceBadge(row: ListingRow): ListingBadge | null {
  if (row.marginFloor !== null && Number(row.currentPrice) < Number(row.marginFloor)) {
    const tip = `This price earns less than the minimum margin. The margin floor is ${formatMoney(row.marginFloor)}.`;
    return { tone: 'danger', icon: ShieldAlert, text: 'Below margin floor', tip };
  }
  return REASONS.find(({ reasonCode }) => reasonCode === row.reasonCode) ?? null;
}

const REASONS: readonly (ListingBadge & { reasonCode: string })[] = [
  {
    reasonCode: 'held_by_limit',
    tone: 'danger',
    text: 'Capped by limit',
    icon: Hand,
    tip: "The rule's price exceeds the step or daily limit.",
  },
  {
    reasonCode: 'send_paused',
    tone: 'warning',
    text: 'Sending paused',
    icon: Clock,
    tip: 'The marketplace does not accept prices for this listing right now. The listing is repriced after that.',
  },
  {
    reasonCode: 'price_war',
    tone: 'danger',
    text: 'Price war',
    icon: Swords,
    tip: 'Lowered too often against one competitor. Repricing is paused for it.',
  },
];

function holdText(hold: NonNullable<ListingRow['hold']>): string {
  const until = hold.until === null ? 'until resumed' : `until ${formatMoment(hold.until, 'short')}`;
  return `On hold ${until} by ${hold.by}: ${hold.reason}`;
}

/** The badge of a listing. */
export function ListingStateBadge({ badge }: { badge: ListingBadge }): React.JSX.Element {
  const { tone, icon, text, tip } = badge;
  return (
    <Tip text={tip === '' ? text : `${text}. ${tip}`}>
      <span className="flex max-w-full min-w-0 *:min-w-0">
        <Badge tone={tone} icon={icon}>
          <span className="truncate leading-4 tabular-nums max-md:whitespace-normal">
            {text}
            {tip !== '' && <span className="sr-only">. {tip}</span>}
          </span>
        </Badge>
      </span>
    </Tip>
  );
}
