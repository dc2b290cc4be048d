import { CalendarClock, CircleDot, CircleHelp, History, Pencil, Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { FeeScheduleView, FeeTermsView } from '#contract/fees.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf, shortPercent } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { bandLines, salesTaxText, scheduleOf } from './fee-text.ts';

const STATES = {
  in_force: { tone: 'success', icon: CircleDot, text: 'In force' },
  coming: { tone: 'info', icon: CalendarClock, text: 'Upcoming' },
  past: { tone: 'neutral', icon: History, text: 'Past' },
} as const;

const day = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

type FeeCardProps = {
  marketplace: Marketplace;
  schedules: readonly FeeScheduleView[];
  terms: FeeTermsView | null;
  onTerms: (terms: FeeTermsView) => void;
  onAdd: () => void;
  onEdit: (schedule: FeeScheduleView) => void;
  onDelete: (schedule: FeeScheduleView) => void;
};

/** The fees of one marketplace: those of its listings and a user's own; unused published ones and past ones are folded. */
export function FeeCard({
  marketplace,
  schedules,
  terms,
  onTerms,
  ...acts
}: FeeCardProps): React.JSX.Element {
  const headingId = useId();
  const current = schedules.filter((schedule) => schedule.state !== 'past' && !isSpare(schedule));
  const spare = schedules.filter(isSpare);
  const past = schedules.filter(({ state }) => state === 'past');
  return (
    <Card role="group" aria-labelledby={headingId} className="flex min-w-0 flex-col">
      <div className="flex items-center justify-between gap-2">
        <h3 id={headingId} className="flex items-center gap-2 text-md font-semibold">
          <MarketplaceMark marketplace={marketplace} />
          {MARKETPLACE_NAMES[marketplace]}
        </h3>
        <Button
          look="quiet"
          onClick={acts.onAdd}
          aria-label={`Add fees for ${MARKETPLACE_NAMES[marketplace]}`}
        >
          <Plus aria-hidden />
          Add
        </Button>
      </div>
      {terms !== null && <Terms terms={terms} schedules={schedules} onEdit={() => onTerms(terms)} />}
      {current.length === 0 && (
        <p className="mt-2 text-danger-text">No fees entered: listings here cannot be repriced.</p>
      )}
      <Schedules schedules={current} {...acts} />
      {spare.length > 0 && <SpareSchedules schedules={spare} {...acts} />}
      {past.length > 0 && (
        <details className="mt-2 border-t pt-2">
          <summary className="flex min-h-11 cursor-pointer items-center text-fg-muted md:min-h-8">
            {countOf(past.length, 'past schedule', 'past schedules')}
          </summary>
          <Schedules schedules={past} {...acts} />
        </details>
      )}
    </Card>
  );
}

type TermsProps = { terms: FeeTermsView; schedules: readonly FeeScheduleView[]; onEdit: () => void };

/** What the fees below depend on, and what is counted in addition. */
function Terms({ terms, schedules, onEdit }: TermsProps): React.JSX.Element {
  const { marketplace, plan, adShare, returnShare } = terms;
  const parts = [
    ...(plan === null ? [] : [`Plan: ${plan}`]),
    ...(schedules.some(usesTax) ? [salesTaxText(terms)] : []),
    ...(adShare === null ? [] : [`${shortPercent(adShare)}% for advertising`]),
    ...(returnShare === null ? [] : [`${shortPercent(returnShare)}% for returns`]),
    ...(adShare === null && returnShare === null ? ['no advertising or returns counted'] : []),
  ];
  return (
    <p className="flex items-center justify-between gap-2 text-sm text-fg-muted">
      <span className="first-letter:uppercase">{parts.join(', ')}</span>
      <IconButton name={`Edit terms: ${MARKETPLACE_NAMES[marketplace]}`} onClick={onEdit}>
        <Pencil aria-hidden />
      </IconButton>
    </p>
  );
}

function usesTax({ edgeBase, bands }: FeeScheduleView): boolean {
  return edgeBase === 'with_tax' || bands.some(({ percentTaxed }) => Number(percentTaxed) > 0);
}

/** Published fees of a category that no listing has: one of up to forty per marketplace. */
function isSpare({ category, origin, state, listings }: FeeScheduleView): boolean {
  return category !== null && origin === 'shipped' && state !== 'past' && listings === 0;
}

function SpareSchedules({ schedules, ...acts }: SchedulesProps): React.JSX.Element {
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/);
  const found = schedules.filter(({ category }) =>
    words.every((word) => category?.toLowerCase().includes(word)),
  );
  return (
    <details className="mt-2 border-t pt-2">
      <summary className="flex min-h-11 cursor-pointer items-center text-fg-muted md:min-h-8">
        {countOf(schedules.length, 'more published category', 'more published categories')}
      </summary>
      <TextField
        label="Find a category"
        hideLabel
        type="search"
        placeholder="Find a category"
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        fieldClassName="mt-1"
      />
      <div className="max-h-96 overflow-y-auto">
        <Schedules schedules={found} {...acts} />
      </div>
      {found.length === 0 && (
        <p role="status" className="mt-2 text-fg-muted">
          No published category matches “{wanted}”. Add fees for it with “Add”.
        </p>
      )}
    </details>
  );
}

type SchedulesProps = Pick<FeeCardProps, 'schedules' | 'onEdit' | 'onDelete'>;

function Schedules({ schedules, onEdit, onDelete }: SchedulesProps): React.JSX.Element {
  return (
    <ul>
      {schedules.map((schedule) => (
        <li key={schedule.id} className="mt-2 flex items-start gap-2 border-t pt-3">
          <ScheduleText schedule={schedule} />
          <span className="flex shrink-0">
            <IconButton name={`Edit fees: ${nameOf(schedule)}`} onClick={() => onEdit(schedule)}>
              <Pencil aria-hidden />
            </IconButton>
            <IconButton name={`Delete fees: ${nameOf(schedule)}`} onClick={() => onDelete(schedule)}>
              <Trash2 aria-hidden />
            </IconButton>
          </span>
        </li>
      ))}
    </ul>
  );
}

function ScheduleText({ schedule }: { schedule: FeeScheduleView }): React.JSX.Element {
  const { category, state, effectiveFrom, listings } = schedule;
  const { tone, icon, text } = STATES[state];
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium break-words">{category ?? 'Without a fee category'}</span>
        <Badge tone={tone} icon={icon}>
          {text}
        </Badge>
      </p>
      <ul className="mt-1 tabular-nums">
        {bandLines(scheduleOf(schedule)).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="mt-1 text-sm text-fg-muted">
        {effectiveFrom === null ? 'No start date' : `From ${day.format(new Date(effectiveFrom))}`}
        {state === 'in_force' && `, used by ${countOf(listings, 'listing', 'listings')}`}
      </p>
      <Publication schedule={schedule} />
    </div>
  );
}

/** Where published fees were read; what a user should know of those that are not sure. */
function Publication({ schedule: { publication } }: { schedule: FeeScheduleView }): React.ReactNode {
  if (publication === null) return null;
  const { title, date, confidence, note } = publication;
  const from = date === null ? title : `${title}, ${day.format(new Date(date))}`;
  return (
    <p className="mt-1 text-sm break-words text-fg-muted">
      {confidence === 'low' && (
        <>
          <Badge tone="warning" icon={CircleHelp}>
            Not confirmed
          </Badge>{' '}
        </>
      )}
      Published: {from}
      {note !== null && `. ${note}`}
    </p>
  );
}

function nameOf({ marketplace, category, effectiveFrom }: FeeScheduleView): string {
  const from = effectiveFrom === null ? 'always' : `from ${day.format(new Date(effectiveFrom))}`;
  return `${MARKETPLACE_NAMES[marketplace]} ${category ?? 'default'}, ${from}`;
}
