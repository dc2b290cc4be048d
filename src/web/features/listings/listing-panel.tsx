import { type Query, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, RefreshCw } from 'lucide-react';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { LISTING_CHANNEL_LABELS } from '#domain/connections/listing-channel.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { KEYS } from '#web/lib/keys.ts';
import { LISTING_PANEL_KEY } from '#web/lib/live-refresh.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { SideSheet } from '#web/ui/side-sheet.tsx';
import { ExternalEditNote } from './external-edit-note.tsx';
import { useListingsScreen } from './listings-screen.ts';
import { FeeNote } from './panel/fee-note.tsx';
import { OnMarketplaceNote } from './panel/on-marketplace-note.tsx';
import type { ListingPanelState } from './panel/use-listing-panel.ts';
import { PriceInProgressNote } from './price-status-badge.tsx';
import { SharedPriceNote } from './shared-price-note.tsx';
import { useListing } from './use-listing.ts';
import { closePanel, step, usePanelKeys } from './use-panel-keys.ts';

const PanelTabs = lazy(async () => ({ default: (await import('./panel/panel-tabs.tsx')).PanelTabs }));

type ListingPanelProps = { panel: ListingPanelState; rows: readonly ListingRow[] };

/** Details of one listing next to the list: sales, metrics, competitors. */
export function ListingPanel({ panel, rows }: ListingPanelProps): React.JSX.Element | null {
  usePanelKeys(panel, rows);
  const client = useQueryClient();
  const { row: listing } = useListing(panel.id, rows);
  const { id, tab, range } = panel;
  if (id === null) return null;
  const refresh = (): void => void client.invalidateQueries({ queryKey: [...LISTING_PANEL_KEY, id] });
  return (
    <SideSheet
      title={listing?.title ?? 'Listing Analytics'}
      subtitle={listing !== undefined && <Names row={listing} />}
      footer={listing !== undefined && <Acts row={listing} />}
      focusRequest={panel.focusRequest}
      onClose={() => closePanel(panel)}
      actions={[
        {
          name: 'Previous listing',
          shortcut: KEYS.previousRow,
          icon: ChevronUp,
          onPress: () => step(panel, rows, -1),
        },
        {
          name: 'Next listing',
          shortcut: KEYS.nextRow,
          icon: ChevronDown,
          onPress: () => step(panel, rows, 1),
        },
        { name: 'Reload the figures', icon: RefreshCw, onPress: refresh },
      ]}
    >
      <PanelNews id={id} onRefresh={refresh} />
      {listing !== undefined && <Notes row={listing} />}
      <Suspense>
        <PanelTabs
          id={id}
          marketplace={listing?.marketplace ?? null}
          tab={tab}
          onTab={panel.setTab}
          range={range}
          onRange={panel.setRange}
        />
      </Suspense>
    </SideSheet>
  );
}

/** Figures never change under the reader: once outdated, this says so and offers to reload them. */
function PanelNews({ id, onRefresh }: { id: string; onRefresh: () => void }): React.JSX.Element {
  const cache = useQueryClient().getQueryCache();
  const isOld = useSyncExternalStore(
    (notify) => cache.subscribe(notify),
    () => cache.findAll({ queryKey: [...LISTING_PANEL_KEY, id] }).some(isOutdated),
  );
  return (
    <div role="status" className={isOld ? 'mb-4' : 'sr-only'}>
      {isOld && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-selected px-3 py-2">
          <span className="font-medium">This listing has changed.</span>
          <Button look="outline" onClick={onRefresh}>
            <RefreshCw aria-hidden />
            Load the new figures
          </Button>
        </div>
      )}
    </div>
  );
}

/** A failed load has its own message. */
function isOutdated({ state }: Query): boolean {
  return state.isInvalidated && state.status === 'success';
}

/** What is special about the listing now; nothing for most. */
function Notes({ row }: { row: ListingRow }): React.JSX.Element {
  return (
    <div className="mb-3 empty:hidden">
      <OnMarketplaceNote id={row.id} marketplace={row.marketplace} />
      <FeeNote id={row.id} marketplace={row.marketplace} currentPrice={row.currentPrice} />
      <SharedPriceNote row={row} />
      <ExternalEditNote row={row} />
      {row.priceInProgress !== null && (
        <PriceInProgressNote row={row} priceInProgress={row.priceInProgress} />
      )}
    </div>
  );
}

/** The entries of the row's menu that one needs most while reading its figures. */
function Acts({ row }: { row: ListingRow }): React.JSX.Element {
  const { openDialog, editPrice } = useListingsScreen();
  return (
    <>
      <Button onClick={() => editPrice(row.id)}>Update Price</Button>
      <Button look="outline" onClick={() => openDialog({ kind: 'costs', listingId: row.id })}>
        Edit Costs
      </Button>
      <Link to="/history" search={{ listing: row.id }} className={buttonClasses({ look: 'outline' })}>
        View History
      </Link>
    </>
  );
}

function Names({ row }: { row: ListingRow }): React.JSX.Element {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-fg-muted">
      <span className="flex items-center gap-1.5">
        <MarketplaceMark marketplace={row.marketplace} />
        {MARKETPLACE_NAMES[row.marketplace]}
      </span>
      <span className="font-mono break-all">{row.sku}</span>
      <span>
        <MoneyText amount={row.currentPrice} />
      </span>
      {row.channel !== null && <span>{LISTING_CHANNEL_LABELS[row.channel]}</span>}
    </p>
  );
}
