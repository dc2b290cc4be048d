import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  ChevronRight,
  CircleAlert,
  CircleCheck,
  Hand,
  Hourglass,
  type LucideIcon,
  ShieldAlert,
  ShoppingCart,
  Swords,
  TrendingDown,
  Upload,
} from 'lucide-react';
import { useId } from 'react';
import type { Attention, AttentionKind } from '#contract/attention.ts';
import type { SalesPage } from '#contract/sales.ts';
import type { Coverage } from '#contract/setup.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import { CardHead } from '#web/ui/card-head.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import type { ScreenLink } from '#web/ui/screen-link.ts';
import { ATTENTION_LINKS } from './links.ts';
import { WaitingPrices } from './waiting-prices.tsx';

type AttentionSectionProps = {
  attention: UseQueryResult<Attention>;
  coverage: Coverage | undefined;
  /** The sales of the period shown that earned less than their minimum margin. */
  below: BelowMinimum | undefined;
  period: string;
};

type BelowMinimum = Pick<SalesPage, 'total' | 'lost' | 'isLostAbout'>;

/** Problems to fix first, each linked to its list, with the money it costs where that is known. */
export function AttentionSection(props: AttentionSectionProps): React.JSX.Element {
  const { attention: query, coverage, below, period } = props;
  const headingId = useId();
  if (query.isError && query.data === undefined) {
    return (
      <LoadFailed
        title="Failed to load what needs attention"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  return (
    <section aria-labelledby={headingId}>
      <Card className="h-full p-0">
        <CardHead id={headingId} title="Needs attention" />
        {query.data !== undefined && (
          <AttentionList attention={query.data} coverage={coverage} below={below} period={period} />
        )}
      </Card>
    </section>
  );
}

type AttentionListProps = Omit<AttentionSectionProps, 'attention'> & { attention: Attention };

function AttentionList({ attention, coverage, below, period }: AttentionListProps): React.JSX.Element {
  const { items, lossPerSale, waiting } = attention;
  const lost = below !== undefined && below.total > 0 ? below.lost : null;
  if (items.length === 0 && waiting.length === 0 && lost === null) {
    // "All good" would be wrong while no price can be checked.
    const isNonePriced = coverage !== undefined && coverage.total > 0 && coverage.repriceable === 0;
    return isNonePriced ? <NonePriced coverage={coverage} /> : <AllWell />;
  }
  return (
    <ul aria-label="Needs attention" className="pb-1">
      {below !== undefined && lost !== null && (
        <AttentionLine
          icon={TrendingDown}
          isUrgent
          link={{ to: '/profit', search: { by: 'sale', below: 'true', period } }}
          title={`${countOf(below.total, 'sale', 'sales')} below the minimum margin`}
          money={`${below.isLostAbout ? 'about ' : ''}${formatMoney(`-${lost}`)}`}
        >
          In the last {period} days.
        </AttentionLine>
      )}
      {items.map(({ kind, count }) => (
        <AttentionLine
          key={kind}
          icon={ICONS[kind].icon}
          isUrgent={ICONS[kind].isUrgent}
          link={ATTENTION_LINKS[kind]}
          title={TITLES[kind](count)}
          {...(kind === 'below_floor' && lossPerSale !== '0.00'
            ? { money: formatMoney(`-${lossPerSale}`) }
            : {})}
        >
          {kind === 'below_floor' ? lossText(count, lossPerSale) : HINTS[kind]}
        </AttentionLine>
      ))}
      {waiting.length > 0 && (
        <li className="flex gap-2.5 px-4 py-1.5">
          <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0 text-fg-muted" />
          <WaitingPrices attention={attention} />
        </li>
      )}
    </ul>
  );
}

type LineProps = {
  icon: LucideIcon;
  isUrgent: boolean;
  link: ScreenLink;
  title: string;
  /** What it costs, formatted. */
  money?: string;
  children: React.ReactNode;
};

function AttentionLine(props: LineProps): React.JSX.Element {
  const { icon: Icon, isUrgent, link, title, money, children } = props;
  return (
    <li className="relative flex items-center gap-2.5 py-1.5 pr-3 pl-4 hover:bg-hover">
      <Icon
        aria-hidden
        className={classNames('size-4 shrink-0', isUrgent ? 'text-danger-text' : 'text-warning-text')}
      />
      <div className="min-w-0 flex-1">
        <Link {...link} className="font-medium after:absolute after:inset-0 after:rounded-md">
          {title}
          {money !== undefined && <span className="sr-only">: {money}</span>}
        </Link>
        <p className="text-sm text-fg-muted">{children}</p>
      </div>
      {money !== undefined && (
        <span aria-hidden className="font-medium whitespace-nowrap text-danger-text tabular-nums">
          {money}
        </span>
      )}
      <ChevronRight aria-hidden className="size-4 shrink-0 text-placeholder" />
    </li>
  );
}

const ICONS = {
  below_floor: { icon: ShieldAlert, isUrgent: true },
  held_back: { icon: Hand, isUrgent: true },
  price_war: { icon: Swords, isUrgent: false },
  upload_late: { icon: Upload, isUrgent: false },
  buy_box_lost: { icon: ShoppingCart, isUrgent: false },
  failed_jobs: { icon: CircleAlert, isUrgent: true },
} as const satisfies Record<AttentionKind, { icon: LucideIcon; isUrgent: boolean }>;

const listings = (count: number): string => countOf(count, 'listing', 'listings');

const TITLES = {
  below_floor: (count) => `${listings(count)} below the margin floor`,
  held_back: (count) => `${countOf(count, 'price', 'prices')} capped by a limit`,
  price_war: (count) => `${listings(count)} in a price war`,
  upload_late: (count) => `${countOf(count, 'price', 'prices')} to upload for more than a day`,
  buy_box_lost: (count) => `${listings(count)} without the buy box`,
  failed_jobs: (count) => `${countOf(count, 'job', 'jobs')} failed in the last 7 days`,
} as const satisfies Record<AttentionKind, (count: number) => string>;

const HINTS = {
  held_back: "The rule's price exceeds the step or daily limit.",
  price_war: 'Lowered too often against one competitor. Repricing is paused there.',
  upload_late: 'Buyers still see the old price. The listing is not repriced until you upload the file.',
  buy_box_lost: 'Another seller has the featured offer.',
  failed_jobs: 'Imports, exports or bulk changes that did not finish.',
} as const satisfies Record<Exclude<AttentionKind, 'below_floor'>, string>;

/** Below the margin floor most listings still make a profit: only a negative margin is called a loss. */
function lossText(count: number, lossPerSale: string): string {
  if (lossPerSale === '0.00') return 'They earn less than the minimum margin of their rule.';
  const loss = formatMoney(lossPerSale);
  return count === 1
    ? `One sale loses ${loss}.`
    : `One sale of each listing at a loss loses ${loss} in total.`;
}

function NonePriced({ coverage: { total, undecided } }: { coverage: Coverage }): React.JSX.Element {
  return (
    <div className="flex gap-2.5 px-4 pt-1 pb-4">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning-text" />
      <div>
        <p className="font-medium">No listing can be repriced yet</p>
        <p className="text-sm text-fg-muted">
          {undecided === total
            ? `${countOf(total, 'listing has', 'listings have')} not been checked yet.`
            : `Data is missing for ${total === 1 ? 'your listing' : `all ${listings(total)}`}. Enter it to calculate prices.`}
        </p>
      </div>
    </div>
  );
}

function AllWell(): React.JSX.Element {
  return (
    <div className="flex gap-2.5 px-4 pt-1 pb-4">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success-text" />
      <div>
        <p className="font-medium">No price needs attention</p>
        <p className="text-sm text-fg-muted">
          No listing is below its margin floor, capped by a limit or waiting for upload or review, and no job
          failed.
        </p>
      </div>
    </div>
  );
}
