import { Link } from '@tanstack/react-router';
import {
  CircleSlash,
  Clock,
  Hand,
  type LucideIcon,
  ShieldAlert,
  ShieldHalf,
  Swords,
  Upload,
} from 'lucide-react';
import type { ComponentProps } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { classNames } from '#web/lib/class-names.ts';
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
  /** A link to more details. */
  readonly href?: string;
}

/** What needs attention about a listing, the worst first; one that cannot be repriced links to the fix. */
export function badgesOf(row: ListingRow): readonly ListingBadge[] {
  const problem = problemOf(row);
  const marks: (ListingBadge | false | null)[] = [
    problem !== null && {
      tone: 'danger',
      icon: CircleSlash,
      text: problem.text,
      tip: problem.fix,
      href: `/listings/${row.id}/why`,
    },
    priceMark(row),
    row.marginFloor !== null &&
      row.marginFloor === row.currentPrice &&
      !isMinimumMeant(row) && {
        tone: 'warning',
        icon: ShieldHalf,
        text: 'At margin floor',
        tip: '',
      },
    row.hold !== null && { tone: 'warning', icon: Hand, text: 'On hold', tip: holdText(row.hold) },
    row.priceInProgress !== null && priceInProgressBadge(row, row.priceInProgress),
    row.awaitingUploadSince !== null && { tone: 'info', icon: Upload, text: 'To upload', tip: '' },
  ];
  return marks.filter((mark) => mark !== false && mark !== null);
}

/** Whether the strategy of its rule sets the price there on purpose: a fixed margin, or no competitor. */
function isMinimumMeant({ rule, competitorPrice }: ListingRow): boolean {
  // Which of its lines decides is not known here.
  if (rule === null || rule.hasLines) return false;
  return (
    rule.strategy === 'Fixed Margin' ||
    (rule.strategy !== 'Dynamic Pricing' && rule.noCompetitor === 'floor' && competitorPrice === null)
  );
}

/** Why a price is not at its target. */
function priceMark(row: ListingRow): ListingBadge | null {
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

type ListingBadgesProps = {
  marks: readonly ListingBadge[];
  /** On one line, so that every row has the same height: without room, all but the first are icons. */
  inTable?: boolean;
};

/** The badges of a listing; renders nothing without any. */
export function ListingBadges({ marks, inTable = false }: ListingBadgesProps): React.JSX.Element | null {
  if (marks.length === 0) return null;
  return (
    <div
      className={classNames('flex min-w-0 items-center gap-x-1.5', !inTable && 'mt-0.5 flex-wrap gap-y-1')}
    >
      {marks.map((mark, place) => (
        <MarkBadge key={mark.text} mark={mark} isShort={inTable && place > 0} />
      ))}
    </div>
  );
}

/** @param props.isShort shows only the icon where there is no room */
function MarkBadge({ mark, isShort }: { mark: ListingBadge; isShort: boolean }): React.JSX.Element {
  const { tone, icon, text, tip, href } = mark;
  const badge = (
    <Badge tone={tone} icon={icon}>
      <span className={classNames('truncate leading-4 tabular-nums', isShort && '@max-2xs:sr-only')}>
        {text}
        {tip !== '' && <span className="sr-only">. {tip}</span>}
      </span>
    </Badge>
  );
  // Badges shrink only as much as needed.
  const box = classNames('inline-flex', isShort ? '@max-2xs:shrink-0' : 'min-w-0 *:min-w-0');
  return (
    <Tip text={tip === '' ? text : `${text}. ${tip}`}>
      {href === undefined ? (
        <span className={box}>{badge}</span>
      ) : (
        <Link to={href} className={classNames(box, 'rounded-sm underline-offset-2 hover:underline')}>
          {badge}
        </Link>
      )}
    </Tip>
  );
}
