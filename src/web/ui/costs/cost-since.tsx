import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SalesImpact } from '#contract/costs.ts';
import { daySpan } from '#domain/time/day-span.ts';
import { call, errorText } from '#web/lib/api.ts';
import { booksQuery } from '#web/lib/books.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { formatDay } from '#web/lib/moments.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { useDayZone, useToday } from '#web/ui/shop-days.ts';
import { TextField } from '#web/ui/text-field.tsx';

/** Milliseconds after the last keystroke before the impact is calculated. */
const PAUSE = 400;

/** The day from which edited costs apply. */
export interface CostSince {
  /** A day of the shop as typed; blank: costs apply from now. */
  readonly day: string;
  readonly setDay: (day: string) => void;
  /** Its first moment, for a request; undefined without a day. */
  readonly costSince: string | undefined;
}

export function useCostSince(): CostSince {
  const [day, setDay] = useState('');
  const zone = useDayZone();
  const since = Number.isNaN(Date.parse(day)) ? undefined : daySpan({ from: day }, zone).since;
  return { day, setDay, costSince: since === undefined ? undefined : new Date(since).toISOString() };
}

/** The member of a request; none without a day. */
export function sinceOf({ costSince }: CostSince): { costSince?: string } {
  return costSince === undefined ? {} : { costSince };
}

/** Chooses the day from which edited costs apply; says where the books of that day are closed. */
export function CostSinceField({ since }: { since: CostSince }): React.JSX.Element {
  const today = useToday();
  return (
    <>
      <TextField
        label="Applies from"
        hint="Leave blank to apply it from now on. With an earlier day, the profit of sales since then is recalculated."
        type="date"
        max={today}
        value={since.day}
        onChange={(event) => since.setDay(event.target.value)}
      />
      {since.day !== '' && <ClosedNote since={since.day} />}
    </>
  );
}

/** Where the day is closed: its sums stay as they are. */
function ClosedNote({ since }: { since: string }): React.JSX.Element | null {
  const closedUntil = useQuery(booksQuery).data?.closedUntil ?? null;
  if (closedUntil === null || since > closedUntil) return null;
  return (
    <p role="status" className="text-sm text-fg-muted">
      The books are closed through {formatDay(closedUntil)}. What changes until then is counted on the day
      after it.
    </p>
  );
}

/** What costs from an earlier day change on sales so far, calculated once typing pauses. */
export interface ShownImpact {
  readonly shown: SalesImpact | undefined;
  readonly error: Error | null;
  /** Not calculated yet: saving waits for it. */
  readonly isPending: boolean;
}

/** @param body of the request; null without a day or a change, where there is nothing to calculate */
export function useSalesImpact(path: string, body: object | null): ShownImpact {
  const key = JSON.stringify(body);
  const isSettled = useDebounced(key, PAUSE) === key;
  const query = useQuery({
    queryKey: ['sales-impact', path, key] as const,
    queryFn: () => call(SalesImpact, 'POST', path, body),
    enabled: body !== null && isSettled,
    gcTime: 0,
  });
  const isShown = body !== null && isSettled;
  return {
    shown: isShown ? query.data : undefined,
    error: isShown ? query.error : null,
    isPending: body !== null && (!isSettled || query.isPending),
  };
}

export function SalesImpactNote({ impact }: { impact: ShownImpact }): React.JSX.Element | null {
  if (impact.error !== null) {
    return (
      <p role="alert" className="text-sm text-danger-text">
        {errorText(impact.error)}
      </p>
    );
  }
  if (!impact.isPending && impact.shown === undefined) return null;
  return (
    <p role="status" className="text-sm text-fg-muted">
      {impact.shown === undefined ? 'Calculating what changes on sales so far.' : salesText(impact.shown)}
    </p>
  );
}

/** "214 sales change: profit -$96.30." */
export function salesText({ changed, profitChange, isMore }: SalesImpact): string {
  if (changed === 0) return 'The profit of past sales does not change.';
  const sign = profitChange.startsWith('-') ? '' : '+';
  const count = countOf(changed, 'sale changes', 'sales change');
  return `${isMore ? 'More than ' : ''}${count}: profit ${sign}${formatMoney(profitChange)}.`;
}
