import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListingMigrations } from '#contract/listing-migrations.ts';
import { MAX_MIGRATED_AT_ONCE } from '#domain/connections/listing-migration.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { migrationsQuery, useRequestMigration } from './connection-queries.ts';

type Item = ListingMigrations['items'][number];

/** Milliseconds without typing before the list is searched. */
const PAUSE = 250;

/** What eBay requires and what is lost permanently, then the choice; the button names the number. */
export function MigrationDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ask = useRequestMigration();
  const list = useQuery({
    ...migrationsQuery(useDebounced(search.trim(), PAUSE)),
    placeholderData: keepPreviousData,
  });
  const send = (): void =>
    ask.mutate([...chosen], {
      onSuccess: () => {
        toast(
          'Listings will be moved',
          `eBay moves ${countOf(chosen.size, 'listing', 'listings')}. The result of each is shown below.`,
        );
        onClose();
      },
    });
  const isShown = ask.error !== null && !isDeclined(ask.error);
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title="Move listings into eBay’s Inventory model"
      description="This cannot be undone. SKUs, prices, holds and price history are kept."
      alert={
        isShown && (
          <Callout tone="danger" role="alert" title="Nothing was moved">
            <p className="text-fg-muted">{errorText(ask.error)}</p>
          </Callout>
        )
      }
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="danger"
            disabled={chosen.size === 0}
            pending={ask.isPending}
            pendingText="Asking..."
            onClick={send}
          >
            Move {countOf(chosen.size, 'listing', 'listings')} permanently
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Terms />
        <TextField
          label="Search"
          hint="SKU, title or eBay item number"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {list.error !== null && <p className="text-danger-text">{errorText(list.error)}</p>}
        {list.data !== undefined && <Choice list={list.data} chosen={chosen} setChosen={setChosen} />}
      </div>
    </Dialog>
  );
}

/** From eBay's page about bulkMigrateListing. */
function Terms(): React.JSX.Element {
  return (
    <>
      <Callout tone="danger" title="Lost permanently">
        <ul className="list-disc pl-5">
          <li>My eBay, and tools that use the Trading API, can no longer change these listings.</li>
          <li>
            Buyer requirements, and upgrades such as a bold title or Gallery Plus, stay as they are and can
            never be changed.
          </li>
          <li>eBay describes no way to move a listing back.</li>
        </ul>
      </Callout>
      <div className="max-w-[80ch]">
        <p className="font-medium">eBay requires of each listing</p>
        <ul className="list-disc pl-5 text-fg-muted">
          <li>a fixed price, and a custom label (SKU) on it and on each of its variations</li>
          <li>business policies for payment, returns and shipping, with immediate payment required</li>
          <li>a ZIP code or a city</li>
        </ul>
      </div>
    </>
  );
}

type ChoiceProps = {
  list: ListingMigrations;
  chosen: ReadonlySet<string>;
  setChosen: (chosen: ReadonlySet<string>) => void;
};

function Choice({ list: { items, total }, chosen, setChosen }: ChoiceProps): React.JSX.Element {
  const possible = items.filter(({ problem }) => problem === null).map(({ itemId }) => itemId);
  const inView = possible.filter((itemId) => chosen.has(itemId)).length;
  const set = (itemIds: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen);
    for (const itemId of itemIds) {
      if (!isOn) next.delete(itemId);
      else if (next.size < MAX_MIGRATED_AT_ONCE) next.add(itemId);
    }
    setChosen(next);
  };
  if (items.length === 0) return <p className="text-fg-muted">No listing found.</p>;
  return (
    <div>
      <Checkbox
        label={`All shown (${formatCount(possible.length)})`}
        checked={inView > 0 && inView < possible.length ? 'mixed' : inView > 0}
        disabled={possible.length === 0}
        onChange={(isOn) => set(possible, isOn)}
      />
      <ul aria-label="Listings that can be moved" className="flex flex-col border-t pt-1">
        {items.map((item) => (
          <li key={item.itemId}>
            <Checkbox
              label={labelOf(item)}
              hint={
                item.problem === null
                  ? undefined
                  : 'It has no custom label (SKU) on eBay, which eBay requires.'
              }
              disabled={item.problem !== null}
              checked={chosen.has(item.itemId)}
              onChange={(isOn) => set([item.itemId], isOn)}
            />
          </li>
        ))}
      </ul>
      {total > items.length && (
        <p className="text-fg-muted">
          The first {formatCount(items.length)} of {formatCount(total)}. Search for others.
        </p>
      )}
      {chosen.size >= MAX_MIGRATED_AT_ONCE && (
        <p className="text-fg-muted">{formatCount(MAX_MIGRATED_AT_ONCE)} listings at once at most.</p>
      )}
    </div>
  );
}

/** "TS-BLUE and 2 more: T-shirt (110000000001)" */
function labelOf({ skus, title, itemId }: Item): string {
  const [first = itemId, ...others] = skus;
  const more = others.length === 0 ? '' : ` and ${formatCount(others.length)} more`;
  return `${first}${more}: ${title} (${itemId})`;
}
