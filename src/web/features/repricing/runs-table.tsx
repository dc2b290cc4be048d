import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, ChevronRight, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { ListedRun } from '#contract/engine.ts';
import type { RunGroup, RunGroups } from '#contract/undo-changes.ts';
import { useAddressedDialog } from '#web/lib/addressed-dialog.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf, formatClock, formatCount } from '#web/lib/format.ts';
import { formatDay, readersZone } from '#web/lib/moments.ts';
import { TRIGGER_LABELS } from '#web/lib/run-triggers.ts';
import { Button } from '#web/ui/button.tsx';
import { useNow } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { UndoChangesDialog } from '#web/ui/undo-changes-dialog.tsx';
import { EqualSales } from './equal-sales.tsx';
import { localDay, type RunDay, type RunRow, runDays } from './run-folds.ts';
import { EQUAL_SALES, RunTotals } from './run-groups.tsx';
import { RunStateBadge, starterOf } from './run-text.tsx';

type RunsTableProps = {
  runs: readonly ListedRun[];
  /** The sums of each day; undefined where the days are not limited. */
  sums: RunGroups | undefined;
  /** Above the table: those of the whole period. */
  hasTotals: boolean;
};

/** The runs by day, each with the sums of its changes and their undo; below 768 px in two lines each. */
export function RunsTable({ runs, sums, hasTotals }: RunsTableProps): React.JSX.Element {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const undoing = useAddressedDialog('undo', (day) => (/^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined));
  const sumOfDay = (day: string): RunGroup | undefined =>
    sums?.groups.find(({ since }) => since !== null && localDay(since) === day);
  const toggle = (key: string): void =>
    setOpen(new Set(open.has(key) ? [...open].filter((each) => each !== key) : [...open, key]));
  const shown = runDays(runs).map((day) => ({ ...day, sum: sumOfDay(day.day) }));
  const parts = { open, onToggle: toggle, onUndo: undoing.open };
  return (
    <div>
      {hasTotals && sums !== undefined && !sums.isCut && <RunTotals groups={sums.groups} />}
      <PlainTable caption="Runs" isBare className="hidden md:block">
        <thead>
          <tr>
            <HeadCell>Started</HeadCell>
            <HeadCell>Why</HeadCell>
            <HeadCell>By</HeadCell>
            <HeadCell numeric>Evaluated</HeadCell>
            <HeadCell numeric>Changed</HeadCell>
            <HeadCell numeric>Recommended</HeadCell>
            <HeadCell numeric>Blocked</HeadCell>
            <HeadCell numeric>
              <Tip text={EQUAL_SALES}>
                <span>At same volume</span>
              </Tip>
            </HeadCell>
            <HeadCell numeric>State</HeadCell>
          </tr>
        </thead>
        {shown.map((day) => (
          <DayBody key={day.day} day={day} {...parts} />
        ))}
      </PlainTable>
      <div className="md:hidden">
        {shown.map((day) => (
          <DayList key={day.day} day={day} {...parts} />
        ))}
      </div>
      {undoing.about !== null && (
        <UndoChangesDialog
          name={formatDay(undoing.about)}
          filter={{ ofRuns: 'true', from: undoing.about, to: undoing.about, zone: readersZone() }}
          onClose={undoing.close}
        />
      )}
    </div>
  );
}

type DayProps = {
  day: RunDay & { readonly sum: RunGroup | undefined };
  /** Keys of the folded rows that are open. */
  open: ReadonlySet<string>;
  onToggle: (key: string) => void;
  onUndo: (day: string) => void;
};

function keyOf({ runs }: RunRow): string {
  return runs.at(-1)?.id ?? '';
}

function DayBody({ day: { day, rows, sum }, open, onToggle, onUndo }: DayProps): React.JSX.Element {
  return (
    <tbody>
      <tr className="bg-hover">
        <th scope="rowgroup" colSpan={4} className="h-9 border-b px-3 text-left font-medium">
          <DayName day={day} /> {sum !== undefined && <RunCount sum={sum} />}
        </th>
        <DayCell>{sum !== undefined && <Moves {...sum} changed={sum.changes} />}</DayCell>
        <td colSpan={2} className="border-b" />
        <DayCell>{sum !== undefined && <EqualSales of={sum} />}</DayCell>
        <DayCell>{sum !== undefined && <UndoDay day={day} onUndo={onUndo} />}</DayCell>
      </tr>
      {rows.map((row) => {
        const key = keyOf(row);
        const isOpen = open.has(key);
        return [
          <RowLine key={key} row={row} isOpen={isOpen} onToggle={() => onToggle(key)} />,
          ...(isOpen && row.runs.length > 1
            ? row.runs.map((run) => <RowLine key={`run-${run.id}`} row={alone(run)} isInside />)
            : []),
        ];
      })}
    </tbody>
  );
}

/** A run of a folded row, as a row of its own. */
function alone(run: ListedRun): RunRow {
  return { ...run, runs: [run] };
}

function DayCell({ children }: { children: React.ReactNode }): React.JSX.Element {
  return <td className="h-9 border-b px-3 text-right tabular-nums">{children}</td>;
}

function DayName({ day }: { day: string }): React.JSX.Element {
  const now = useNow();
  const at = (offset: number): string => localDay(new Date(now - offset * 86_400_000).toISOString());
  const name = day === at(0) ? 'Today, ' : day === at(1) ? 'Yesterday, ' : '';
  return (
    <>
      {name}
      {formatDay(day)}
    </>
  );
}

function RunCount({ sum }: { sum: RunGroup }): React.JSX.Element {
  return (
    <span className="ml-1.5 text-sm font-normal text-fg-muted">
      {countOf(sum.runs, 'run', 'runs')} with changes
    </span>
  );
}

function UndoDay({ day, onUndo }: { day: string; onUndo: (day: string) => void }): React.JSX.Element {
  return (
    <Button
      look="quiet"
      size="small"
      aria-label={`Undo ${formatDay(day)}`}
      onClick={() => onUndo(day)}
      className="-mr-2.5"
    >
      <Undo2 aria-hidden />
      Undo day
    </Button>
  );
}

type RowLineProps = {
  row: RunRow;
  isOpen?: boolean;
  isInside?: boolean;
  onToggle?: (() => void) | undefined;
};

function RowLine({ row, isOpen = false, isInside = false, onToggle }: RowLineProps): React.JSX.Element {
  const [first] = row.runs;
  if (first === undefined) throw new Error('A row without a run.');
  return (
    <tr className="hover:bg-hover">
      <Cell className="whitespace-nowrap">
        <span className={classNames('flex items-center gap-1', isInside && 'pl-8')}>
          <Fold row={row} isOpen={isOpen} isInside={isInside} onToggle={onToggle} />
        </span>
      </Cell>
      <Cell>
        <Why row={row} />
      </Cell>
      <Cell className="text-fg-muted">{byText(row)}</Cell>
      <Cell numeric className="text-fg-muted">
        {formatCount(row.evaluated)}
      </Cell>
      <Cell numeric>
        <Moves {...row} />
      </Cell>
      <Cell numeric className="text-fg-muted">
        {formatCount(row.recommended)}
      </Cell>
      <Cell numeric className={row.blocked > 0 ? 'text-danger-text' : 'text-fg-muted'}>
        {formatCount(row.blocked)}
      </Cell>
      <Cell numeric>
        <EqualSales of={{ ...row, changes: row.up + row.down }} />
      </Cell>
      <Cell numeric>
        <State run={first} />
      </Cell>
    </tr>
  );
}

/** The time of a run, linked to it, or the hour of several with the button that shows them. */
function Fold({ row, isOpen, isInside, onToggle }: RowLineProps): React.JSX.Element {
  const [first] = row.runs;
  if (row.runs.length > 1 && first !== undefined) {
    return (
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="inline-flex min-h-10 items-center gap-1 rounded-sm font-medium md:min-h-7"
      >
        <ChevronRight
          aria-hidden
          className={classNames('size-4 text-fg-muted', isOpen === true && 'rotate-90')}
        />
        {spanText(row)}
      </button>
    );
  }
  return (
    <Link
      to="/runs/$id"
      params={{ id: first?.id ?? '' }}
      className={classNames(
        'inline-flex min-h-10 items-center rounded-sm font-medium hover:underline md:min-h-7',
        isInside !== true && 'md:pl-5',
      )}
    >
      <span className="sr-only">Run of </span>
      {formatClock(Date.parse(first?.startedAt ?? ''))}
    </Link>
  );
}

/** "13:02 to 13:50"; one time where they are in the same minute. */
function spanText({ runs }: RunRow): string {
  const [to, from] = [runs[0], runs.at(-1)].map((run) => formatClock(Date.parse(run?.startedAt ?? '')));
  return from === to ? `${to}` : `${from} to ${to}`;
}

function Why({ row: { runs } }: { row: RunRow }): React.ReactNode {
  const triggers = [...new Set(runs.map(({ trigger }) => TRIGGER_LABELS[trigger]))];
  const [first] = runs;
  return first?.undoesRunId == null ? triggers.join(', ') : <>Undo of run {first.undoesRunId}</>;
}

function byText({ runs }: RunRow): string {
  const [first] = runs;
  if (first === undefined) return '';
  return runs.length === 1 ? starterOf(first) : `${starterOf(first)}, ${countOf(runs.length, 'run', 'runs')}`;
}

function State({ run }: { run: ListedRun }): React.JSX.Element {
  return run.state === 'done' ? (
    <span className="text-sm text-fg-muted">Done</span>
  ) : (
    <RunStateBadge state={run.state} />
  );
}

/** "35 ↑9 ↓26". */
function Moves({ changed, up, down }: Pick<RunRow, 'changed' | 'up' | 'down'>): React.JSX.Element {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={changed > 0 ? 'font-semibold' : 'text-fg-muted'}>{formatCount(changed)}</span>
      {up + down > 0 && (
        <span className="inline-flex items-center gap-1 text-sm">
          <span className="inline-flex items-center text-success-text">
            <ArrowUp aria-hidden className="size-3" />
            <span className="sr-only">up </span>
            {formatCount(up)}
          </span>
          <span className="inline-flex items-center text-danger-text">
            <ArrowDown aria-hidden className="size-3" />
            <span className="sr-only">down </span>
            {formatCount(down)}
          </span>
        </span>
      )}
    </span>
  );
}

function DayList({ day: { day, rows, sum }, open, onToggle, onUndo }: DayProps): React.JSX.Element {
  return (
    <section aria-label={formatDay(day)}>
      <div className="flex min-h-9 items-center justify-between gap-2 border-b bg-hover px-4">
        <h2 className="font-medium">
          <DayName day={day} />
        </h2>
        {sum !== undefined && (
          <span className="flex items-center gap-2">
            <EqualSales of={sum} />
            <UndoDay day={day} onUndo={onUndo} />
          </span>
        )}
      </div>
      <ul>
        {rows.map((row) => {
          const key = keyOf(row);
          const isOpen = open.has(key);
          return (
            <li key={key} className="border-b">
              <CardLine row={row} isOpen={isOpen} onToggle={() => onToggle(key)} />
              {isOpen && row.runs.length > 1 && (
                <ul className="border-t pl-4">
                  {row.runs.map((run) => (
                    <li key={run.id}>
                      <CardLine row={alone(run)} isInside />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function CardLine(props: RowLineProps): React.JSX.Element {
  const { row } = props;
  const [first] = row.runs;
  return (
    <div className="flex items-center justify-between gap-3 px-4 py-1">
      <div className="min-w-0">
        <p>
          <Why row={row} />
        </p>
        <p className="flex flex-wrap items-center gap-x-2 text-fg-muted">
          <Fold {...props} />
          <span className="text-sm">{byText(row)}</span>
        </p>
      </div>
      <div className="shrink-0 text-right tabular-nums">
        {row.equalSales !== null && (
          <p>
            <EqualSales of={{ ...row, changes: row.up + row.down }} />
          </p>
        )}
        <p>
          <Moves {...row} />
          {row.changed === 0 && <span className="text-sm text-fg-muted"> changed</span>}
        </p>
        {row.recommended + row.blocked > 0 && (
          <p className="text-sm text-fg-muted">
            {formatCount(row.recommended)} recommended, {formatCount(row.blocked)} blocked
          </p>
        )}
        {first !== undefined && first.state !== 'done' && <State run={first} />}
      </div>
    </div>
  );
}
