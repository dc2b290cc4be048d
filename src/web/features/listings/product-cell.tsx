import { Link } from '@tanstack/react-router';
import {
  CircleSlash,
  Hand,
  ImageOff,
  type LucideIcon,
  ShieldAlert,
  ShieldHalf,
  Swords,
  Upload,
} from 'lucide-react';
import type { ListingRow } from '#contract/listings.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { UnderWayBadge } from './under-way-badge.tsx';
import { problemOf } from './words.ts';

/** Image and title, and under them whatever needs attention. */
export function ProductCell({ row }: { row: ListingRow }): React.JSX.Element {
  const hasBadges = needsAttention(row);
  return (
    <div className="flex items-center gap-3">
      <ProductImage url={row.imageUrl} />
      <div className="min-w-0">
        <Tip text={row.title}>
          <span className={classNames('block leading-snug', hasBadges ? 'truncate' : 'line-clamp-2')}>
            {row.title}
          </span>
        </Tip>
        {hasBadges && <ListingBadges row={row} />}
      </div>
    </div>
  );
}

/** 40 by 40; its title stands beside it. What is no https address is no picture. */
export function ProductImage({ url }: { url: string | null }): React.JSX.Element {
  if (url?.startsWith('https://')) {
    return (
      <img
        src={url}
        alt=""
        width={40}
        height={40}
        loading="lazy"
        referrerPolicy="no-referrer"
        className="size-10 shrink-0 rounded-md border bg-canvas object-contain print:hidden"
      />
    );
  }
  return (
    <span
      aria-hidden
      className="grid size-10 shrink-0 place-items-center rounded-md border bg-canvas text-fg-muted print:hidden"
    >
      <ImageOff className="size-4" />
    </span>
  );
}

/** Whether {@link ListingBadges} would say anything. */
export function needsAttention(row: ListingRow): boolean {
  return (
    priceBadge(row) !== null ||
    isAtFloor(row) ||
    row.hold !== null ||
    row.awaitingUploadSince !== null ||
    row.underWay !== null ||
    problemOf(row) !== null
  );
}

/** Why a price is not where it should be. */
function priceBadge(row: ListingRow): { text: string; icon: LucideIcon; tip: string } | null {
  if (row.lowestLegalPrice !== null && Number(row.currentPrice) < Number(row.lowestLegalPrice)) {
    const tip = `The lowest legal price is ${formatMoney(row.lowestLegalPrice)}.`;
    return { text: 'Below minimum price', icon: ShieldAlert, tip };
  }
  return BADGES.find(({ reasonCode }) => reasonCode === row.reasonCode) ?? null;
}

const BADGES = [
  {
    ...{ reasonCode: 'held_by_limit', text: 'Price held back', icon: Hand },
    tip: 'The right price is further away than one step or one day may go.',
  },
  {
    ...{ reasonCode: 'price_war', text: 'Price war', icon: Swords },
    tip: 'Lowered too often against one competitor: the engine rests it.',
  },
] as const;

function isAtFloor(row: ListingRow): boolean {
  return row.lowestLegalPrice !== null && row.lowestLegalPrice === row.currentPrice;
}

/** What needs attention about a listing, in badges; what cannot be priced says why and how to go on. */
export function ListingBadges({ row }: { row: ListingRow }): React.JSX.Element {
  const problem = problemOf(row);
  const warning = priceBadge(row);
  return (
    <div className="mt-0.5 flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1">
      {problem !== null && (
        <Tip text={problem.fix}>
          <Link
            to={`/listings/${row.id}/why`}
            className="inline-flex rounded-sm underline-offset-2 hover:underline"
          >
            <Badge tone="danger" icon={CircleSlash}>
              {problem.text}
              <span className="sr-only">. {problem.fix}</span>
            </Badge>
          </Link>
        </Tip>
      )}
      {warning !== null && (
        <Tip text={warning.tip}>
          <span className="inline-flex">
            <Badge tone="danger" icon={warning.icon}>
              {warning.text}
              <span className="sr-only">. {warning.tip}</span>
            </Badge>
          </span>
        </Tip>
      )}
      {isAtFloor(row) && (
        <Badge tone="warning" icon={ShieldHalf}>
          At minimum price
        </Badge>
      )}
      {row.hold !== null && (
        <Tip text={holdText(row.hold)}>
          <span className="inline-flex">
            <Badge tone="warning" icon={Hand}>
              Held<span className="sr-only">. {holdText(row.hold)}</span>
            </Badge>
          </span>
        </Tip>
      )}
      {row.underWay !== null && <UnderWayBadge row={row} underWay={row.underWay} />}
      {row.awaitingUploadSince !== null && (
        <Badge tone="info" icon={Upload}>
          To upload
        </Badge>
      )}
    </div>
  );
}

function holdText(hold: NonNullable<ListingRow['hold']>): string {
  const until =
    hold.until === null ? 'until somebody resumes it' : `until ${formatMoment(hold.until, 'short')}`;
  return `Held by ${hold.by} ${until}: ${hold.reason}`;
}
