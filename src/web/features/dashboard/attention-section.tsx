import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  CircleAlert,
  CircleCheck,
  Hand,
  Hourglass,
  type LucideIcon,
  ShieldAlert,
  ShoppingCart,
  Swords,
  Upload,
} from 'lucide-react';
import { useId } from 'react';
import type { Attention, AttentionKind } from '#contract/attention.ts';
import type { Coverage } from '#contract/start.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import type { ScreenLink } from '#web/ui/screen-link.ts';
import { CoverageCard } from './coverage-card.tsx';
import { ATTENTION_LINKS } from './links.ts';
import { WaitingPrices } from './waiting-prices.tsx';

type AttentionSectionProps = { attention: UseQueryResult<Attention>; coverage: UseQueryResult<Coverage> };

/** Problems to fix first, each linked to its list. Next to it, the listings that cannot be repriced. */
export function AttentionSection({ attention: query, coverage }: AttentionSectionProps): React.JSX.Element {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h2 id={headingId} className="text-lg font-semibold">
        Needs attention
      </h2>
      {query.isError && (
        <LoadFailed
          title="Failed to load what needs attention"
          error={query.error}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {query.data !== undefined && <AttentionList attention={query.data} coverage={coverage.data} />}
        <CoverageCard query={coverage} />
      </div>
    </section>
  );
}

type AttentionListProps = { attention: Attention; coverage: Coverage | undefined };

function AttentionList({ attention, coverage }: AttentionListProps): React.JSX.Element {
  const { items, lossPerSale, waiting } = attention;
  if (items.length === 0 && waiting.length === 0) {
    // "All good" would be wrong while no price can be checked.
    const isNonePriced = coverage !== undefined && coverage.total > 0 && coverage.repriceable === 0;
    return isNonePriced ? <NonePriced coverage={coverage} /> : <AllWell />;
  }
  return (
    <Card className="py-1">
      <ul aria-label="Needs attention" className="flex flex-col divide-y divide-border">
        {items.map(({ kind, count }) => (
          <AttentionLine
            key={kind}
            icon={ICONS[kind].icon}
            isUrgent={ICONS[kind].isUrgent}
            link={ATTENTION_LINKS[kind]}
            title={TITLES[kind](count)}
          >
            {kind === 'below_floor' ? lossText(count, lossPerSale) : HINTS[kind]}
          </AttentionLine>
        ))}
        {waiting.length > 0 && (
          <li className="flex gap-3 py-3">
            <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0 text-info-text" />
            <WaitingPrices attention={attention} />
          </li>
        )}
      </ul>
    </Card>
  );
}

type LineProps = {
  icon: LucideIcon;
  isUrgent: boolean;
  link: ScreenLink;
  title: string;
  children: React.ReactNode;
};

function AttentionLine({ icon: Icon, isUrgent, link, title, children }: LineProps): React.JSX.Element {
  return (
    <li className="flex gap-3 py-3">
      <Icon
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 ${isUrgent ? 'text-danger-text' : 'text-warning-text'}`}
      />
      <div className="min-w-0">
        <Link
          {...link}
          className="font-medium underline decoration-border-control underline-offset-4 hover:decoration-current"
        >
          {title}
        </Link>
        <p className="text-sm text-fg-muted">{children}</p>
      </div>
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
  held_back: 'The price the rule asks for exceeds the step or daily limit.',
  price_war: 'Lowered too often against one competitor. Repricing is paused for them.',
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
    <Card className="flex gap-3">
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-warning-text" />
      <div>
        <p className="font-medium">No listing can be repriced yet</p>
        <p className="text-sm text-fg-muted">
          {undecided === total
            ? `${countOf(total, 'listing has', 'listings have')} not been checked yet.`
            : `Data is missing for ${total === 1 ? 'your listing' : `all ${listings(total)}`}. Enter it to calculate prices.`}
        </p>
      </div>
    </Card>
  );
}

function AllWell(): React.JSX.Element {
  return (
    <Card className="flex gap-3">
      <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success-text" />
      <div>
        <p className="font-medium">No price needs attention</p>
        <p className="text-sm text-fg-muted">
          No listing is below its margin floor, capped by a limit or waiting for upload or review, and no job
          failed.
        </p>
      </div>
    </Card>
  );
}
