import { useState } from 'react';
import type { Tier } from '#contract/tiers.ts';
import { FULFILLMENT_TYPES, MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import {
  CostSinceField,
  SalesImpactNote,
  sinceOf,
  useCostSince,
  useSalesImpact,
} from '#web/ui/costs/cost-since.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useSaveTier } from './queries.ts';
import { fieldsOf, newGaps, readTier, type TierFields, type TierReading } from './tier-form.ts';
import { tierText } from './tier-texts.ts';

const ONE_MARKETPLACE = MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] }));
const ANY_MARKETPLACE = [{ value: 'all' as const, label: 'All six marketplaces' }, ...ONE_MARKETPLACE];
const FULFILLMENTS = FULFILLMENT_TYPES.map((value) => ({ value, label: value }));
const EMPTY: TierFields = {
  marketplace: 'all',
  fulfillmentType: 'FBM',
  minWeightOz: '',
  maxWeightOz: '',
  cost: '',
};

/** The first tier starts at zero. */
function blankAmong(tiers: readonly Tier[]): TierFields {
  return tiers.length === 0 ? { ...EMPTY, minWeightOz: '0' } : EMPTY;
}

type TierDialogProps = {
  /** The tier to edit; null adds one. */
  tier: Tier | null;
  /** Known values of the tier to add. */
  prefill: Partial<TierFields>;
  /** All tiers, to find overlaps and gaps while typing. */
  tiers: readonly Tier[];
  onClose: () => void;
};

/** Adds or edits a shipping tier. Rejects overlaps and shows gaps before saving. */
export function TierDialog({ tier, prefill, tiers, onClose }: TierDialogProps): React.JSX.Element {
  const [fields, setFields] = useState(() =>
    tier === null ? { ...blankAmong(tiers), ...prefill } : fieldsOf(tier),
  );
  const [touched, setTouched] = useState<readonly (keyof TierFields)[]>([]);
  const save = useSaveTier();
  const others = tiers.filter(({ id }) => id !== tier?.id);
  const reading = readTier(fields, others);
  const since = useCostSince();
  const impact = useSalesImpact(
    '/api/shipping-tiers/impact',
    reading.tier === null || since.costSince === undefined
      ? null
      : { id: tier?.id ?? null, ...reading.tier, ...sinceOf(since) },
  );
  const submit = (): void => {
    setTouched(['minWeightOz', 'maxWeightOz', 'cost']);
    if (reading.tier === null) {
      focusFirstError();
      return;
    }
    const done = tier === null ? 'Shipping tier added' : 'Shipping tier saved';
    save.mutate(
      { id: tier?.id ?? null, tier: { ...reading.tier, ...sinceOf(since) } },
      {
        onSuccess: () => {
          toast(done, 'Repricing listings in this weight range.');
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={tier === null ? 'Add Shipping Tier' : 'Edit shipping tier'}
      description="Your cost to ship a package in this weight range. The range includes its minimum and excludes its maximum."
      onSubmit={submit}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            pending={save.isPending}
            disabled={impact.isPending}
            pendingText={tier === null ? 'Adding...' : 'Saving...'}
          >
            {tier === null ? 'Add tier' : 'Save tier'}
          </Button>
        </>
      }
    >
      <TierFieldset
        fields={fields}
        canBeAll={tier === null}
        errors={shownErrors(reading, touched, fields)}
        onChange={(change) => setFields({ ...fields, ...change })}
        onLeave={(name) => setTouched([...touched, name])}
      />
      <div className="mt-4 flex flex-col gap-2">
        <CostSinceField since={since} />
        <SalesImpactNote impact={impact} />
      </div>
      <GapCallout reading={reading} others={others} />
      {save.error !== null && (
        <Callout tone="danger" role="alert" title="Could not save the tier" className="mt-4">
          <p className="text-fg-muted">{errorText(save.error)}</p>
          {save.error instanceof ApiError && save.error.code === 'not_found' && (
            <p className="text-fg-muted">Close this dialog to see the existing tiers.</p>
          )}
        </Callout>
      )}
    </Dialog>
  );
}

/** Errors appear after a field is left, but an overlap of two valid weights at once. */
function shownErrors(
  { errors }: TierReading,
  touched: readonly (keyof TierFields)[],
  { minWeightOz, maxWeightOz }: TierFields,
): TierReading['errors'] {
  const bothTyped = minWeightOz !== '' && maxWeightOz !== '';
  const isShown = (name: string): boolean =>
    touched.includes(name as keyof TierFields) || (bothTyped && name !== 'cost');
  return Object.fromEntries(Object.entries(errors).filter(([name]) => isShown(name)));
}

type TierFieldsetProps = {
  fields: TierFields;
  canBeAll: boolean;
  errors: TierReading['errors'];
  onChange: (change: Partial<TierFields>) => void;
  onLeave: (name: keyof TierFields) => void;
};

function TierFieldset({ fields, canBeAll, errors, onChange, onLeave }: TierFieldsetProps): React.JSX.Element {
  const number = (name: 'minWeightOz' | 'maxWeightOz' | 'cost') => ({
    value: fields[name],
    error: errors[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.target.value }),
    onBlur: () => onLeave(name),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Marketplace"
        hint={fields.marketplace === 'all' ? 'Adds six tiers, one for each marketplace.' : undefined}
        options={canBeAll ? ANY_MARKETPLACE : ONE_MARKETPLACE}
        value={fields.marketplace}
        onChange={(marketplace) => onChange({ marketplace })}
      />
      <SelectField
        label="Fulfillment Type"
        hint={
          fields.fulfillmentType === 'FBM'
            ? 'You ship the package yourself.'
            : 'The marketplace ships, and its fee covers that. A tier adds a further cost per unit.'
        }
        options={FULFILLMENTS}
        value={fields.fulfillmentType}
        onChange={(fulfillmentType) => onChange({ fulfillmentType })}
      />
      <NumberField label="Min Weight (oz)" unit="oz" placeholder="0" {...number('minWeightOz')} />
      <NumberField label="Max Weight (oz)" unit="oz" placeholder="16" {...number('maxWeightOz')} />
      <NumberField label="Shipping Cost" unit="$" placeholder="4.99" {...number('cost')} />
    </div>
  );
}

function GapCallout({ reading, others }: { reading: TierReading; others: readonly Tier[] }): React.ReactNode {
  const gaps = reading.range === null ? [] : newGaps(reading.range, others);
  const [first] = gaps;
  if (first === undefined) return null;
  return (
    <Callout tone="info" role="status" title="This leaves a gap" className="mt-4">
      <p className="text-fg-muted">
        No tier covers {tierText(first)}
        {gaps.length > 1 && ` (and ${gaps.length - 1} more such gaps)`}. Listings in this range have no
        shipping cost until another tier covers them. You can save this tier now and add that one next.
      </p>
    </Callout>
  );
}
