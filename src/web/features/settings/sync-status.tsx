import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ConnectionList, EventSubscription, LastSync, PriceReadings } from '#contract/connections.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { BusinessPricesField } from './business-prices-field.tsx';
import { connectionsQuery, useRequestSync } from './connection-queries.ts';
import { ExternalEditsField } from './external-edits-field.tsx';
import { ListingMigrationBlock } from './listing-migration.tsx';
import { OfferRefreshStatus } from './offer-refresh.tsx';
import { PassedOver } from './passed-over.tsx';
import {
  readingCheckText,
  readingLagText,
  SUBSCRIPTION_LABELS,
  SYNC_KIND_LABELS,
  sendPausesText,
  syncCountText,
} from './sync-text.ts';

/** The last syncs of a connected marketplace, and a button to sync everything now. */
export function SyncStatus({ marketplace }: { marketplace: Marketplace }): React.JSX.Element | null {
  const connections = useQuery(connectionsQuery);
  const stored = connections.data?.marketplaces.find((each) => each.marketplace === marketplace);
  if (stored?.priceChannel !== 'connected' && stored?.priceChannel !== 'read_only') return null;
  return (
    <>
      <LastSyncs {...stored} />
      {stored.capabilities.competitors !== 'none' && <OfferRefreshStatus marketplace={marketplace} />}
      {stored.priceChannel === 'connected' && (
        <ExternalEditsField marketplace={marketplace} policy={stored.externalEdits} />
      )}
      {stored.priceChannel === 'connected' && stored.businessPrices !== null && (
        <BusinessPricesField marketplace={marketplace} policy={stored.businessPrices} />
      )}
      {marketplace === 'ebay' && stored.priceChannel === 'connected' && <ListingMigrationBlock />}
    </>
  );
}

function LastSyncs({
  marketplace,
  sync,
  sendPauses,
  priceReadings,
  eventSubscription,
}: ConnectionList['marketplaces'][number]): React.JSX.Element {
  const request = useRequestSync(marketplace);
  const isWanted = request.isPending || sync.requestedAt !== null;
  const name = MARKETPLACE_NAMES[marketplace];
  return (
    <div className="flex flex-col items-start gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look="outline"
          pending={isWanted}
          pendingText="Syncing..."
          aria-label={isWanted ? undefined : `Sync ${name} now`}
          onClick={() => request.mutate()}
        >
          <RefreshCw aria-hidden />
          Sync now
        </Button>
        {isBehindAnother(sync) && (
          <p className="text-fg-muted">A sync that is already running starts again after it ends.</p>
        )}
      </div>
      {request.isError && (
        <Callout tone="danger" role="status" title={`Could not sync ${name}`}>
          <p className="text-fg-muted">{errorText(request.error)}</p>
        </Callout>
      )}
      {sync.last.length === 0 ? (
        <p className="text-fg-muted">
          {name} has not been synced yet. The first sync starts within a minute.
        </p>
      ) : (
        <ul aria-label={`Last sync from ${name}`} className="flex max-w-[80ch] flex-col gap-1">
          {sync.last.map((last) => (
            <li key={last.kind}>
              <span className="font-medium">{SYNC_KIND_LABELS[last.kind]}:</span> <SyncResult sync={last} />
              <SyncDetails marketplace={marketplace} sync={last} />
            </li>
          ))}
        </ul>
      )}
      {sendPauses.length > 0 && (
        <ul aria-label={`Prices that wait for ${name}`} className="flex max-w-[80ch] flex-col gap-1">
          {sendPauses.map((pause) => (
            <li key={pause.why}>
              <span className="font-medium">Prices waiting:</span>{' '}
              <span className="text-fg-muted">
                {sendPausesText(marketplace, pause)} Repriced <MomentText iso={pause.until} />.
              </span>
            </li>
          ))}
        </ul>
      )}
      <ReadingStatus marketplace={marketplace} readings={priceReadings} />
      {eventSubscription !== null && (
        <EventStatus marketplace={marketplace} subscription={eventSubscription} />
      )}
    </div>
  );
}

/** Each kind starts at once, except those in progress: a report by the marketplace may take minutes. */
function isBehindAnother({ requestedAt, last }: ConnectionList['marketplaces'][number]['sync']): boolean {
  return (
    requestedAt !== null && last.some(({ isRunning, startedAt }) => isRunning && startedAt < requestedAt)
  );
}

function SyncResult({ sync }: { sync: LastSync }): React.JSX.Element {
  if (sync.isRunning) return <span className="text-fg-muted">syncing now</span>;
  if (sync.endedAt === null)
    return <span className="text-fg-muted">interrupted, resumes within minutes</span>;
  if (sync.failed) {
    // Complete, but needs a check by the user.
    const isWhole = sync.succeededAt === sync.startedAt;
    return (
      <span className="text-danger-text">
        {isWhole ? 'Synced' : 'Failed'} <MomentText iso={sync.endedAt} />:{' '}
        {sync.problem ?? 'no reason was given.'}
        {sync.succeededAt !== null && !isWhole && (
          <span className="text-fg-muted">
            {' '}
            Last sync <MomentText iso={sync.succeededAt} />.
          </span>
        )}
      </span>
    );
  }
  const words = syncCountText(sync);
  return (
    <span className="text-fg-muted">
      <MomentText iso={sync.endedAt} />
      {words !== '' && `, ${words}`}
    </span>
  );
}

/** What the last sync could not read: single rows, and whole calls. */
function SyncDetails({
  marketplace,
  sync: { kind, endedAt, notes, counts },
}: {
  marketplace: Marketplace;
  sync: LastSync;
}): React.JSX.Element {
  const count = (counts.passedOver ?? 0) + (counts.withoutPrice ?? 0);
  return (
    <>
      {notes.map((note) => (
        <p key={note} className="text-fg-muted">
          {note}
        </p>
      ))}
      {endedAt !== null && count > 0 && (
        <PassedOver marketplace={marketplace} kind={kind} count={count} endedAt={endedAt} />
      )}
    </>
  );
}

/** How late the marketplace shows our prices, and whether its last reading was set aside. */
function ReadingStatus({
  marketplace,
  readings,
}: {
  marketplace: Marketplace;
  readings: PriceReadings;
}): React.JSX.Element {
  const check = readingCheckText(marketplace, readings.check);
  const lags = readingLagText(readings);
  return (
    <>
      {check !== null && <p className="max-w-[80ch] text-warning-text">{check}</p>}
      {lags !== '' && (
        <p className="max-w-[80ch]">
          <span className="font-medium">Changed prices are shown late:</span>{' '}
          <span className="text-fg-muted">{lags} (95 of 100 late readings, last 7 days)</span>
        </p>
      )}
    </>
  );
}

/** Event subscriptions: since when, and the last event. */
function EventStatus({
  marketplace,
  subscription: { since, lastAt, problem, failed },
}: {
  marketplace: Marketplace;
  subscription: EventSubscription;
}): React.JSX.Element {
  const name = MARKETPLACE_NAMES[marketplace];
  const what = <span className="font-medium">{SUBSCRIPTION_LABELS[marketplace] ?? 'Notifications'}:</span>;
  if (failed) {
    return (
      <p className="max-w-[80ch] text-danger-text">
        {what} {problem ?? 'not arriving.'}{' '}
        <span className="text-fg-muted">{name} is synced as often as before.</span>
      </p>
    );
  }
  return (
    <p className="max-w-[80ch]">
      {what}{' '}
      <span className="text-fg-muted">
        {since === null ? (
          'not subscribed'
        ) : (
          <>
            since <MomentText iso={since} />
          </>
        )}
        {', '}
        {lastAt === null ? (
          'none received yet'
        ) : (
          <>
            last received <MomentText iso={lastAt} />
          </>
        )}
      </span>
    </p>
  );
}
