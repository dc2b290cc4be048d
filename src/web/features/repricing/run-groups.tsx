import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import type { ChangeFilterForm, RunGroup, RunGroups as RunGroupsAnswer } from '#contract/undo-changes.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { useAddressedDialog } from '#web/lib/addressed-dialog.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { formatDay, formatMoment, readersZone } from '#web/lib/moments.ts';
import { sumOf } from '#web/lib/money-sums.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { Figure, Figures } from '#web/ui/figures.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { SignedMoney } from '#web/ui/signed-money.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { UndoChangesDialog } from '#web/ui/undo-changes-dialog.tsx';
import { coverageOf, EqualSales } from './equal-sales.tsx';
import { localDay } from './run-folds.ts';
import { type RunGroupsView, runGroupsQuery } from './run-queries.ts';

const HEADS = { hour: 'Hour', day: 'Day', marketplace: 'Marketplace', rule: 'Rule' } as const;

/** Changes of runs by group, each with an undo: `undo=walmart` in the address. */
export function RunGroups({ view }: { view: RunGroupsView }): React.JSX.Element {
  const groups = useQuery(runGroupsQuery(view));
  const answer = groups.data;
  const undoing = useAddressedDialog('undo', (key) =>
    // The previous grouping stays until the new one is loaded.
    answer === undefined || groups.isPlaceholderData
      ? null
      : answer.groups.map((group) => nameOf(group, view, answer)).find((named) => named.key === key),
  );
  return (
    <>
      <QueryView
        query={groups}
        loading={<ListSkeleton rows={7} />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the runs"
            error={error}
            onRetry={retry}
            retrying={groups.isFetching}
          />
        )}
      >
        {(data) => <Groups view={view} answer={data} onUndo={({ key }) => undoing.open(key)} />}
      </QueryView>
      {undoing.about !== null && (
        <UndoChangesDialog name={undoing.about.name} filter={undoing.about.filter} onClose={undoing.close} />
      )}
    </>
  );
}

interface Named {
  readonly key: string;
  readonly name: string;
  readonly filter: ChangeFilterForm;
}

type GroupsProps = { view: RunGroupsView; answer: RunGroupsAnswer; onUndo: (group: Named) => void };

function Groups({ view, answer, onUndo }: GroupsProps): React.JSX.Element {
  const { groups, isCut } = answer;
  if (groups.length === 0) return <EmptyNote>No run changed a price on these days.</EmptyNote>;
  const named = groups.map((group) => ({ ...group, ...nameOf(group, view, answer) }));
  const undoButton = (group: Named): React.JSX.Element => (
    <Button look="quiet" aria-label={`Undo ${group.name}`} onClick={() => onUndo(group)}>
      <Undo2 aria-hidden />
      Undo
    </Button>
  );
  return (
    <div>
      {!isCut && <RunTotals groups={groups} />}
      <PlainTable caption="Runs" isBare className="hidden md:block">
        <thead>
          <tr>
            <HeadCell>{HEADS[view.by]}</HeadCell>
            <HeadCell numeric>Runs</HeadCell>
            <HeadCell numeric>Changed</HeadCell>
            <HeadCell numeric>Up</HeadCell>
            <HeadCell numeric>Down</HeadCell>
            <HeadCell numeric>Listings</HeadCell>
            <HeadCell numeric>
              <Tip text={EQUAL_SALES}>
                <span>At same volume</span>
              </Tip>
            </HeadCell>
            <HeadCell numeric>
              <Tip text={MEASURED}>
                <span>Actual profit</span>
              </Tip>
            </HeadCell>
            <HeadCell>
              <span className="sr-only">Undo</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {named.map((group) => (
            <tr key={group.key} className="hover:bg-hover">
              <Cell className="font-medium">{group.name}</Cell>
              <Cell numeric>{formatCount(group.runs)}</Cell>
              <Cell numeric className="font-medium">
                {formatCount(group.changes)}
              </Cell>
              <Cell numeric>{formatCount(group.up)}</Cell>
              <Cell numeric>{formatCount(group.down)}</Cell>
              <Cell numeric>{formatCount(group.listings)}</Cell>
              <Cell numeric>
                <EqualSales of={group} />
              </Cell>
              <Cell numeric>
                <Measured group={group} />
              </Cell>
              <Cell numeric>{undoButton(group)}</Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <ul aria-label="Runs" className="divide-y md:hidden">
        {named.map((group) => (
          <li key={group.key} className="flex items-center justify-between gap-2 px-4 py-2">
            <div>
              <p className="font-medium">{group.name}</p>
              <p className="text-fg-muted tabular-nums">
                {countOf(group.runs, 'run', 'runs')}, {formatCount(group.changes)} changed:{' '}
                {formatCount(group.up)} up, {formatCount(group.down)} down
              </p>
              <p className="text-sm">
                <EqualSales of={group} /> <span className="text-fg-muted">a week at the same volume</span>
              </p>
            </div>
            {undoButton(group)}
          </li>
        ))}
      </ul>
      {isCut && (
        <p className="px-4 py-2 text-sm text-fg-muted">
          Showing the first {groups.length}. Choose fewer days to see the rest.
        </p>
      )}
    </div>
  );
}

export const EQUAL_SALES =
  'Weekly profit change from the new prices if units sell as they did in the last 30 days. An undo is a change of its own.';
const MEASURED = 'Profit from units sold at these prices so far';

/** The whole period. Amounts that are unknown are not part of the sums. */
export function RunTotals({ groups }: { groups: readonly RunGroup[] }): React.JSX.Element {
  const count = (of: (group: RunGroup) => number): number =>
    groups.reduce((sum, group) => sum + of(group), 0);
  const units = count(({ soldUnits }) => soldUnits);
  return (
    <Figures look="inCard" columns={4} className="rounded-none border-b">
      <Figure
        label="Prices changed"
        note={`${formatCount(count(({ up }) => up))} up, ${formatCount(count(({ down }) => down))} down`}
      >
        {formatCount(count(({ changes }) => changes))}
      </Figure>
      <Figure
        label="At same volume"
        note={
          coverageOf({
            equalSalesOf: count(({ equalSalesOf }) => equalSalesOf),
            changes: count(({ changes }) => changes),
          }) ?? 'a week, at 30-day sales volume'
        }
      >
        <SignedMoney amount={sumOf(groups.map(({ equalSales }) => equalSales))} />
      </Figure>
      <Figure label="Actual profit" note="of what sold at these prices">
        <MoneyText amount={sumOf(groups.map(({ soldProfit }) => soldProfit))} />
      </Figure>
      <Figure label="Units sold" note="at these prices so far">
        {formatCount(units)}
      </Figure>
    </Figures>
  );
}

function Measured({ group: { soldUnits, soldProfit } }: { group: RunGroup }): React.JSX.Element {
  if (soldUnits === 0) return <span className="text-fg-muted">no sale yet</span>;
  return (
    <>
      {soldProfit === null ? 'unknown' : <MoneyText amount={soldProfit} />}
      <span className="text-sm text-fg-muted"> of {countOf(soldUnits, 'unit', 'units')}</span>
    </>
  );
}

/** The label of a group, and the filter for its changes. */
function nameOf(
  { since, until, marketplace, rule }: RunGroup,
  { by }: RunGroupsView,
  within: Pick<RunGroupsAnswer, 'since' | 'until'>,
): Named {
  const ofRuns = 'true' as const;
  const range = { ofRuns, since: within.since, ...(within.until !== null && { until: within.until }) };
  if (since !== null && until !== null) {
    if (by === 'day') {
      const day = localDay(since);
      const filter = { ofRuns, from: day, to: day, zone: readersZone() };
      return { key: since, name: formatDay(day), filter };
    }
    return { key: since, name: formatMoment(since, 'short'), filter: { ofRuns, since, until } };
  }
  if (marketplace !== null) {
    return { key: marketplace, name: MARKETPLACE_NAMES[marketplace], filter: { ...range, marketplace } };
  }
  const [key, name] = rule === null ? ['none', 'Applied manually'] : [rule.id, rule.name];
  return { key, name, filter: { ...range, rule: key } };
}
