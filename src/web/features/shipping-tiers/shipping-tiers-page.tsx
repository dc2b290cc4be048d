import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Plus, Truck, Upload } from 'lucide-react';
import { useState } from 'react';
import { KEYS } from '#web/lib/keys.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { tiersQuery } from './queries.ts';
import { exportTiers } from './tier-actions.tsx';
import { TierCallouts } from './tier-callouts.tsx';
import { TierDialog } from './tier-dialog.tsx';
import type { TierFields } from './tier-form.ts';
import { TierList } from './tier-list.tsx';

/** The address names the dialog: "new", or the id of the tier to edit. */
const NEW = 'new';

type PageSearch = { marketplace?: string; tier?: string };

/** Shipping costs by marketplace, fulfillment type and weight. */
export function ShippingTiersPage(): React.JSX.Element {
  const tiers = useQuery(tiersQuery);
  const search: PageSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [prefill, setPrefill] = useState<Partial<TierFields>>({});
  const go = (change: PageSearch): void =>
    void navigate({ to: '.', search: { ...search, ...change }, replace: true });
  const openNew = (known: Partial<TierFields>): void => {
    setPrefill(known);
    go({ tier: NEW });
  };
  useShortcut(KEYS.create, () => openNew({}), 'Add shipping tier');
  const all = tiers.data?.tiers ?? [];
  const edited = all.find(({ id }) => id === search.tier) ?? null;
  return (
    <div className="flex flex-col gap-3">
      <PageHeading title="Shipping Cost Tiers" subtitle="Your shipping cost by package weight">
        <Freshness
          updatedAt={tiers.dataUpdatedAt}
          refreshing={tiers.isRefetching}
          onRefresh={tiers.refetch}
        />
        {/* There while it loads, so that nothing next to it moves. */}
        {(tiers.isPending || all.length > 0) && (
          <Button look="outline" phone="icon" disabled={all.length === 0} onClick={() => exportTiers(all)}>
            <Download aria-hidden />
            <span>Export</span>
          </Button>
        )}
        <ImportLink />
        <Tip text="Add Shipping Tier" shortcut={KEYS.create}>
          <Button phone="icon" onClick={() => openNew({})}>
            <Plus aria-hidden />
            <span>Add Shipping Tier</span>
          </Button>
        </Tip>
      </PageHeading>
      <QueryView
        query={tiers}
        loading={<TableSkeleton />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the shipping tiers"
            error={error}
            onRetry={retry}
            retrying={tiers.isFetching}
          />
        )}
      >
        {(data) => (
          <>
            <TierCallouts gaps={data.gaps} untiered={data.untiered} tiers={data.tiers} onAdd={openNew} />
            {data.tiers.length === 0 ? (
              <FirstTiers onAdd={() => openNew({})} />
            ) : (
              <TierList
                tiers={data.tiers}
                marketplace={search.marketplace ?? ''}
                onMarketplace={(marketplace) => go({ marketplace })}
              />
            )}
            {(search.tier === NEW || edited !== null) && (
              <TierDialog
                key={search.tier}
                tier={edited}
                prefill={prefill}
                tiers={data.tiers}
                onClose={() => go({ tier: '' })}
              />
            )}
          </>
        )}
      </QueryView>
    </div>
  );
}

/** Without tiers: what they are for, and two ways to add them. */
function FirstTiers({ onAdd }: { onAdd: () => void }): React.JSX.Element {
  return (
    <Card className="flex flex-col items-center gap-4 px-6 py-12 text-center">
      <Truck aria-hidden className="size-8 text-fg-muted" />
      <div>
        <h2 className="text-md font-semibold">No shipping tiers yet</h2>
        <p className="mt-1 max-w-[60ch] text-fg-muted">
          A tier sets your shipping cost by weight, for example $3.99 for 0 to 16 oz. Without a tier, enter a
          shipping cost on each listing that you ship yourself. FBA/WFS listings need none.
        </p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={onAdd}>
          <Plus aria-hidden />
          Add the first tier
        </Button>
        <ImportLink />
      </div>
    </Card>
  );
}

function ImportLink(): React.JSX.Element {
  return (
    <Link
      to="/imports/new"
      search={{ kind: 'tiers' }}
      className={buttonClasses({ look: 'outline', phone: 'icon' })}
    >
      <Upload aria-hidden />
      <span>Import from CSV</span>
    </Link>
  );
}

function TableSkeleton(): React.JSX.Element {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Loading the shipping tiers</span>
      <ListSkeleton rows={5} />
    </div>
  );
}
