import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useUrlParams } from '#web/lib/url-params.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { AddComponentCard } from './add-component-card.tsx';
import { BundleList } from './bundle-list.tsx';
import { ComponentsCard } from './components-card.tsx';
import { ConfigurationCard } from './configuration-card.tsx';
import { ImportCard } from './import-card.tsx';
import { BelowRemovedCallout } from './removed-callout.tsx';
import { useBundleDraft } from './use-bundle-draft.ts';

/** Bundles: edit one by hand, import many from a file, list all. */
export function BundlesPage(): React.JSX.Element {
  const { params, set } = useUrlParams();
  const listingSku = params.listing?.trim().slice(0, 200) || null;
  const draft = useBundleDraft(listingSku);
  const listingField = useRef<HTMLInputElement>(null);
  const skuField = useRef<HTMLInputElement>(null);
  const [isListingMissing, setListingMissing] = useState(false);
  const requireListing = (): void => {
    setListingMissing(true);
    listingField.current?.focus();
  };
  return (
    <div className="flex flex-col gap-3">
      <PageHeading
        title="Bundle Configuration"
        subtitle="Which SKUs are in a listing, and how many. They determine its cost and weight."
      />
      <BelowRemovedCallout isShown={listingSku === null}>
        <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-3">
            <ConfigurationCard
              draft={draft}
              inputRef={listingField}
              isListingMissing={isListingMissing && listingSku === null}
              onChoose={(listing) => set({ listing })}
            />
            <AddComponentCard draft={draft} inputRef={skuField} onNoListing={requireListing} />
            <ComponentsCard
              draft={draft}
              onNoListing={requireListing}
              onNoParts={() => skuField.current?.focus()}
            />
          </div>
          <ImportCard />
        </div>
        <BundleList />
      </BelowRemovedCallout>
      <LeaveGuard isDirty={draft.isDirty} onDiscard={draft.discard} />
    </div>
  );
}

/** Asks before an unsaved bundle is lost: on navigation to another screen or listing, and when the tab closes. */
function LeaveGuard(props: { isDirty: boolean; onDiscard: () => void }): React.JSX.Element {
  const { isDirty, onDiscard } = props;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && (current.pathname !== next.pathname || listingIn(current.search) !== listingIn(next.search)),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <AlertDialog
      open={status === 'blocked'}
      onCancel={() => reset?.()}
      title="Leave without saving?"
      action="Discard changes"
      onConfirm={() => {
        onDiscard();
        proceed?.();
      }}
    >
      <p>Your changes to this bundle will be lost.</p>
    </AlertDialog>
  );
}

function listingIn(search: unknown): unknown {
  return (search as { listing?: unknown }).listing;
}
