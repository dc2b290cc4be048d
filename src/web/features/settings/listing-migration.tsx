import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListingMigrations } from '#contract/listing-migrations.ts';
import type { MigrationState } from '#domain/connections/listing-migration.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { migrationsQuery } from './connection-queries.ts';
import { MigrationDialog } from './migration-dialog.tsx';

const STATE_LABELS: Readonly<Record<MigrationState, string>> = {
  waiting: 'waiting to be moved',
  sent: 'being moved',
  unknown: 'eBay’s answer was lost; asking again',
  migrated: 'moved',
  refused: 'not moved',
};

/** How many eBay listings are outside of its Inventory model, the offer to move them, and what became of those asked for. */
export function ListingMigrationBlock(): React.JSX.Element | null {
  const { data, error } = useQuery(migrationsQuery());
  const [isOpen, setOpen] = useState(false);
  if (error !== null) return <p className="border-t pt-4 text-danger-text">{errorText(error)}</p>;
  if (data === undefined || (data.total === 0 && data.asked.length === 0)) return null;
  return (
    <section
      aria-label="Listings outside eBay's Inventory model"
      className="flex flex-col items-start gap-3 border-t pt-4"
    >
      <h3 className="font-medium">Listings outside eBay’s Inventory model</h3>
      {data.total > 0 && (
        <>
          <p className="max-w-[80ch] text-fg-muted">
            {countOf(data.total, 'eBay listing was', 'eBay listings were')} made in eBay’s own forms or by an
            older tool. {data.total === 1 ? 'Its price is' : 'Their prices are'} sent all the same. If another
            tool needs {data.total === 1 ? 'it' : 'them'} in the Inventory model, eBay can move{' '}
            {data.total === 1 ? 'it' : 'them'} there permanently.
          </p>
          <Button look="outline" onClick={() => setOpen(true)}>
            Choose listings to move...
          </Button>
        </>
      )}
      <Asked asked={data.asked} />
      {isOpen && <MigrationDialog onClose={() => setOpen(false)} />}
    </section>
  );
}

function Asked({ asked }: Pick<ListingMigrations, 'asked'>): React.JSX.Element | null {
  if (asked.length === 0) return null;
  return (
    <ul
      aria-label="Listings to be moved into the Inventory model"
      className="max-h-60 w-full max-w-[80ch] list-disc overflow-y-auto pl-6 wrap-anywhere"
    >
      {asked.map(({ itemId, state, message, askedBy, askedAt, endedAt }) => (
        <li key={itemId}>
          <span className="font-mono">{itemId}</span>:{' '}
          <span className={state === 'refused' ? 'text-danger-text' : 'text-fg-muted'}>
            {STATE_LABELS[state]}
            {message !== null && `. ${message}`}
          </span>{' '}
          <span className="text-fg-muted">
            (<MomentText iso={endedAt ?? askedAt} />, asked for by {askedBy})
          </span>
        </li>
      ))}
    </ul>
  );
}
