import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { FeeScheduleView, Fees, FeeTermsView } from '#contract/fees.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { CategoryCallout } from './category-callout.tsx';
import { DeleteFeesDialog } from './delete-fees-dialog.tsx';
import { DoubtedFeesCallout } from './doubted-fees-callout.tsx';
import { FeeCard } from './fee-card.tsx';
import { FeeDialog } from './fee-dialog.tsx';
import { FeeDriftTable } from './fee-drift-table.tsx';
import { categorySuggestionsQuery, feeDriftQuery, feesQuery } from './fee-queries.ts';
import { FeeTermsDialog } from './fee-terms-dialog.tsx';
import { ConfirmFees, UncoveredCallout } from './fees-callouts.tsx';

/** The address names the dialog: "new", or the id of the schedule to edit. */
const NEW = 'new';

type Prefill = { marketplace: Marketplace; category: string | null };

/** Fee schedules, by marketplace and category. */
export function FeesTab(): React.JSX.Element {
  const fees = useQuery(feesQuery);
  const drift = useQuery(feeDriftQuery);
  const suggestions = useQuery(categorySuggestionsQuery);
  // All at once: what comes later would push the schedules down.
  const phase = useDelayed(fees.isPending || drift.isPending || suggestions.isPending);
  const search: { fees?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [prefill, setPrefill] = useState<Prefill>({ marketplace: 'walmart', category: null });
  const [doomed, setDoomed] = useState<FeeScheduleView | null>(null);
  const [terms, setTerms] = useState<FeeTermsView | null>(null);
  const open = (which: string): void =>
    void navigate({ to: '.', search: { ...search, fees: which }, replace: true, resetScroll: false });
  const openNew = (known: Prefill): void => {
    setPrefill(known);
    open(NEW);
  };
  return (
    <QueryView
      query={fees}
      phase={phase}
      loading={<FeesSkeleton />}
      failed={(error, retry) => (
        <LoadFailed
          title="Failed to load the fees"
          error={error}
          onRetry={retry}
          retrying={fees.isFetching}
        />
      )}
    >
      {(data) => {
        const edited = data.schedules.find(({ id }) => id === search.fees) ?? null;
        return (
          <>
            <DoubtedFeesCallout query={drift} />
            <ConfirmFees checked={data.checked} />
            <CategoryCallout schedules={data.schedules} />
            <UncoveredCallout uncovered={data.uncovered} onAdd={openNew} />
            <FeeDriftTable drifts={drift.data?.drifts ?? []} />
            <div className="grid items-start gap-4 lg:grid-cols-2 wide:grid-cols-3">
              {MARKETPLACES.map((marketplace) => (
                <FeeCard
                  key={marketplace}
                  marketplace={marketplace}
                  schedules={inOrder(data.schedules, marketplace)}
                  terms={data.terms.find((terms) => terms.marketplace === marketplace) ?? null}
                  onTerms={setTerms}
                  onAdd={() => openNew({ marketplace, category: null })}
                  onEdit={({ id }) => open(id)}
                  onDelete={setDoomed}
                />
              ))}
            </div>
            {(search.fees === NEW || edited !== null) && (
              <FeeDialog
                key={search.fees}
                schedule={edited}
                prefill={prefill}
                categories={categoriesOf(data)}
                salesTax={data.terms}
                onClose={() => open('')}
              />
            )}
            {terms !== null && <FeeTermsDialog terms={terms} onClose={() => setTerms(null)} />}
            {doomed !== null && (
              <DeleteFeesDialog
                // The current schedule: a rejected deletion updates its count.
                schedule={data.schedules.find(({ id }) => id === doomed.id) ?? doomed}
                onClose={() => setDoomed(null)}
              />
            )}
          </>
        );
      }}
    </QueryView>
  );
}

const STATE_ORDER = ['in_force', 'coming', 'past'];

/** The default first, then by category; within one the current, then upcoming, then past ones, newest first. */
function inOrder(schedules: readonly FeeScheduleView[], marketplace: Marketplace): FeeScheduleView[] {
  return schedules
    .filter((schedule) => schedule.marketplace === marketplace)
    .sort(
      (a, b) =>
        (a.category ?? '').localeCompare(b.category ?? '') ||
        STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) ||
        (b.effectiveFrom ?? '').localeCompare(a.effectiveFrom ?? ''),
    );
}

function categoriesOf({ schedules, uncovered }: Fees): string[] {
  const named = [...schedules, ...uncovered].flatMap(({ category }) => (category === null ? [] : [category]));
  return [...new Set(named)].sort();
}

function FeesSkeleton(): React.JSX.Element {
  return (
    <div role="status" className="grid gap-4 lg:grid-cols-2 wide:grid-cols-3">
      <span className="sr-only">Loading the fees</span>
      {MARKETPLACES.map((marketplace) => (
        <ListSkeleton key={marketplace} rows={3} inCard />
      ))}
    </div>
  );
}
