import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { COST_PARTS, type CostPartName, type ListingCosts, type SavedCosts } from '#contract/costs.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { BelowMarginFloorPanel } from './below-margin-floor-panel.tsx';
import { listingCostsQuery, useSaveCosts } from './cost-calls.ts';
import { type CostEdits, type CostReading, readCosts } from './cost-form.ts';
import { CostSinceField, SalesImpactNote, useCostSince, useSalesImpact } from './cost-since.tsx';

const LABELS = {
  product: 'Product Cost',
  shipping: 'Shipping',
  fulfillment: 'Fulfillment',
  packaging: 'Packaging',
  misc: 'Misc',
} as const satisfies Record<CostPartName, string>;

type CostEditorProps = {
  listingId: string;
  /** Lets the list behind it update. */
  onSaved: (saved: SavedCosts) => void;
  onClose: () => void;
};

/** The five parts of one listing's cost with a live total; after a save, the listings now below their margin floor. */
export function CostEditor({ listingId, onSaved, onClose }: CostEditorProps): React.JSX.Element {
  const query = useQuery(listingCostsQuery(listingId));
  const [edits, setEdits] = useState<CostEdits>({});
  const [saved, setSaved] = useState<SavedCosts | null>(null);
  const save = useSaveCosts(listingId);
  const since = useCostSince();
  const { data } = query;
  const reading = data === undefined ? null : readCosts(data, edits, since.costSince);
  const impact = useSalesImpact(`/api/listings/${listingId}/costs/impact`, impactOf(reading));
  const submit = (): void => {
    if (reading === null) return;
    if (reading.form === null) focusFirstError();
    else if (!reading.isChanged) onClose();
    else {
      save.mutate(reading.form, {
        onSuccess: (result) => {
          onSaved(result);
          setEdits({});
          // The panel reports it, and a toast would cover its buttons.
          if (result.belowMarginFloorCount > 0) setSaved(result);
          else {
            toast('Costs saved', 'Margins and margin floors are updated.');
            onClose();
          }
        },
      });
    }
  };
  if (saved !== null) return <BelowMarginFloorPanel saved={saved} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Cost Breakdown"
      description={data && `${data.sku} on ${MARKETPLACE_NAMES[data.marketplace]}: ${data.title}`}
      onSubmit={submit}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            pending={save.isPending}
            pendingText="Saving..."
            disabled={data === undefined || impact.isPending}
          >
            Save Costs
          </Button>
        </>
      }
    >
      <QueryView
        query={query}
        loading={<ListSkeleton of="fields" rows={5} />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the costs"
            error={error}
            onRetry={retry}
            retrying={query.isFetching}
          />
        )}
      >
        {(costs) => (
          <CostFields
            costs={costs}
            edits={edits}
            reading={readCosts(costs, edits, since.costSince)}
            onEdit={(part, text) => {
              setEdits({ ...edits, [part]: text });
              save.reset();
            }}
          />
        )}
      </QueryView>
      {Object.keys(edits).length > 0 && <CostSinceField since={since} />}
      <SalesImpactNote impact={impact} />
      {save.error !== null && (
        <Callout tone="danger" role="alert" title="Could not save the costs" className="mt-4">
          <p className="text-fg-muted">{errorText(save.error)}</p>
        </Callout>
      )}
    </Dialog>
  );
}

/** The question what changes on sales so far; null without a day and something that applies from it. */
function impactOf(reading: CostReading | null): object | null {
  if (reading === null || !reading.isChanged || reading.form?.costSince === undefined) return null;
  const { version: _, skuVersion: __, ...edited } = reading.form;
  return edited;
}

type CostFieldsProps = {
  costs: ListingCosts;
  edits: CostEdits;
  reading: CostReading;
  onEdit: (part: CostPartName, text: string) => void;
};

function CostFields({ costs, edits, reading, onEdit }: CostFieldsProps): React.JSX.Element {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {COST_PARTS.map((name) => {
          const part = costs.parts.find(({ part: each }) => each === name);
          if (part === undefined) return null;
          return (
            <NumberField
              key={name}
              label={LABELS[name]}
              unit="$"
              hint={hintOf(part, costs, edits)}
              error={reading.errors[name]}
              disabled={part.readOnly !== null}
              value={edits[name] ?? part.amount ?? ''}
              onChange={(event) => onEdit(name, event.target.value)}
            />
          );
        })}
      </div>
      <output className="flex items-baseline justify-between border-t pt-3" aria-live="polite">
        <span className="font-medium">Total Cost</span>
        <span className="text-xl font-semibold tabular-nums">{formatMoney(reading.total)}</span>
      </output>
      {reading.empty.length > 0 && (
        <p className="text-sm text-fg-muted">
          Not counted: {reading.empty.map((name) => LABELS[name]).join(', ')}.
        </p>
      )}
      {costs.missing.length > 0 && (
        <Callout tone="danger" title="Total unknown">
          <ul className="text-fg-muted">
            {costs.missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Callout>
      )}
      {(costs.isBundle || costs.gaps.includes('bundle_unconfirmed')) && (
        <p className="text-sm">
          <Link
            to="/bundles"
            search={{ listing: costs.sku }}
            className="text-link underline underline-offset-2"
          >
            Open {costs.sku} on Bundles
          </Link>
        </p>
      )}
      <SharedCostCallout costs={costs} edits={edits} />
    </>
  );
}

function hintOf(part: ListingCosts['parts'][number], costs: ListingCosts, edits: CostEdits): string {
  if (part.readOnly !== null) return part.readOnly;
  if (part.part === 'shipping' && edits.shipping?.trim() === '') return blankShippingHint(costs);
  return `From: ${part.sourceText}`;
}

function blankShippingHint({ fulfillmentType }: ListingCosts): string {
  return fulfillmentType === 'FBM'
    ? 'Leave blank to use the shipping tier.'
    : 'Leave blank if the FBA/WFS fee covers shipping.';
}

/** Product, packaging and misc cost belong to the SKU: they change for its other listings too. */
function SharedCostCallout({ costs, edits }: Pick<CostFieldsProps, 'costs' | 'edits'>): React.ReactNode {
  const isShared = edits.product !== undefined || edits.packaging !== undefined || edits.misc !== undefined;
  const { others } = costs;
  if (!isShared || others.length === 0) return null;
  const names = others
    .slice(0, 5)
    .map(({ sku, marketplace }) => `${sku} on ${MARKETPLACE_NAMES[marketplace]}`);
  const rest = others.length - names.length;
  return (
    <Callout
      tone="info"
      role="status"
      title={`${countOf(others.length, 'other listing costs', 'other listings cost')} the same SKU`}
    >
      <p className="text-fg-muted">
        {names.join(', ')}
        {rest > 0 && ` and ${rest} more`} will change too.
      </p>
    </Callout>
  );
}
