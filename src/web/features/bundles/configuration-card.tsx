import { useState } from 'react';
import { errorText } from '#web/lib/api.ts';
import { formatMoney } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { Combobox } from '#web/ui/combobox.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { listingText, reachText } from './bundles-text.ts';
import { LISTING_OPTIONS, type ListingOption, useConfirmSingle } from './queries.ts';
import type { BundleDraft } from './use-bundle-draft.ts';

const NOUN = { one: 'listing', many: 'listings' };

type ConfigurationCardProps = {
  draft: BundleDraft;
  inputRef: React.RefObject<HTMLInputElement | null>;
  isListingMissing: boolean;
  onChoose: (listingSku: string) => void;
};

/** Selects the listing SKU to edit, and shows its marketplaces. */
export function ConfigurationCard(props: ConfigurationCardProps): React.JSX.Element {
  const { draft, inputRef, isListingMissing, onChoose } = props;
  const { listingSku, preview } = draft;
  const title = preview?.listings[0]?.title ?? null;
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-md font-semibold">Manual Configuration</h2>
      <Combobox<ListingOption>
        label="Listing"
        hint={
          preview === undefined
            ? 'A bundle belongs to the SKU of a listing and applies on every marketplace with this SKU.'
            : reachText(preview.listings.map(({ marketplace }) => marketplace))
        }
        error={isListingMissing ? 'Select a listing first.' : undefined}
        placeholder="Search by SKU or title"
        source={LISTING_OPTIONS}
        noun={NOUN}
        keyOf={({ sku }) => sku}
        textOf={listingText}
        drawOption={(option) => <ListingLine option={option} />}
        value={listingSku === null ? '' : listingText({ sku: listingSku, title })}
        onChoose={({ sku }) => onChoose(sku)}
        inputRef={inputRef}
      />
      {listingSku !== null && preview?.isUnconfirmed === true && draft.seen.length === 0 && (
        <Unconfirmed listingSku={listingSku} draft={draft} onConfirmed={() => inputRef.current?.focus()} />
      )}
    </Card>
  );
}

function ListingLine({ option }: { option: ListingOption }): React.JSX.Element {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2">
      <span className="min-w-0 flex-1 truncate">
        <span className="font-mono">{option.sku}</span> - {option.title}
      </span>
      <span className="flex shrink-0 gap-1">
        {option.marketplaces.map((marketplace) => (
          <MarketplaceMark key={marketplace} marketplace={marketplace} />
        ))}
      </span>
    </span>
  );
}

type UnconfirmedProps = {
  listingSku: string;
  draft: BundleDraft;
  /** The question disappears: the focus has to move. */
  onConfirmed: () => void;
};

/** A removed bundle needs confirmation of its new state. */
function Unconfirmed({ listingSku, draft, onConfirmed }: UnconfirmedProps): React.JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const confirm = useConfirmSingle();
  const submit = (): void =>
    confirm.mutate(listingSku, {
      onSuccess: () => {
        toast('Not a bundle', `${listingSku} now uses its own SKU cost.`);
        setAsking(false);
        requestAnimationFrame(onConfirmed);
      },
      onError: (error) => {
        toast('Error', errorText(error), 'destructive');
        setAsking(false);
      },
    });
  return (
    <Callout tone="danger" title="This bundle was removed">
      <p className="max-w-[70ch] text-fg-muted">
        The cost of {listingSku} is unknown, so its prices do not change. Save its components again, or
        confirm that it is no longer a bundle.
      </p>
      <Button look="outline" className="mt-3" onClick={() => setAsking(true)}>
        Confirm not a bundle
      </Button>
      <AlertDialog
        open={isAsking}
        onCancel={() => setAsking(false)}
        title={`Is ${listingSku} a single item now?`}
        action="Confirm not a bundle"
        pendingText="Confirming..."
        pending={confirm.isPending}
        onConfirm={submit}
        isDanger={false}
      >
        <p>{costOfOwnSku(listingSku, draft)}</p>
      </AlertDialog>
    </Callout>
  );
}

function costOfOwnSku(listingSku: string, { preview }: BundleDraft): string {
  const own = preview?.ownSku ?? null;
  if (own === null) {
    return `It then uses the cost of SKU ${listingSku}. There is no such SKU yet, so its listings are not repriced until you add it.`;
  }
  return own.productCost === null
    ? `It then uses the cost of SKU ${listingSku}. That SKU has no product cost yet, so its listings are not repriced until you enter it.`
    : `It then uses the cost of SKU ${listingSku}, ${formatMoney(own.productCost)} plus packaging and misc, and its prices may change.`;
}
