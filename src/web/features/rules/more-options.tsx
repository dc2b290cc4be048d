import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { FULFILLMENT_TYPES, MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { BELOW_FLOOR, NO_COMPETITOR } from '#domain/rules/rule.ts';
import { classNames } from '#web/lib/class-names.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { foldClasses } from './fold-classes.ts';
import { BELOW_FLOOR_LABELS, NO_COMPETITOR_LABELS } from './option-labels.ts';
import { BLANK_DRAFT, formOf, type RuleDraft } from './rule-draft.ts';
import type { RuleFormState } from './rule-fields.tsx';
import { errorAt } from './use-form-errors.ts';

type PartProps = { form: RuleFormState; draft: RuleDraft };

/** Rarely changed options. Unfolded if one is set or has an error. */
export function MoreOptions({ form, draft }: PartProps): React.JSX.Element {
  const contentId = useId();
  const [isOpen, setOpen] = useState(() => hasOptions(draft));
  const { errors } = form.formState;
  const isShown = isOpen || errors.filter !== undefined || errors.marketplaceMargins !== undefined;
  return (
    <>
      <button
        type="button"
        aria-expanded={isShown}
        aria-controls={contentId}
        onClick={() => setOpen(!isShown)}
        className={foldClasses}
      >
        More options
        <ChevronDown aria-hidden className={classNames('ml-auto size-4', isShown && 'rotate-180')} />
      </button>
      <div id={contentId} className={classNames('flex-col gap-6 border-t p-4', isShown ? 'flex' : 'hidden')}>
        {draft.marketplace === '' && <MarketplaceMargins form={form} />}
        {(draft.way === 'lines' || draft.strategy !== 'Fixed Margin') && (
          <>
            <Cases form={form} draft={draft} />
            <OfferFilters form={form} draft={draft} />
          </>
        )}
        <OwnChannels form={form} draft={draft} />
      </div>
    </>
  );
}

function hasOptions(draft: RuleDraft): boolean {
  const { noCompetitor, belowFloor, otherChannels, refuseCrossChannel, filter, marketplaceMargins } =
    formOf(draft);
  const blank = formOf(BLANK_DRAFT);
  return (
    Object.keys(marketplaceMargins ?? {}).length > 0 ||
    noCompetitor !== blank.noCompetitor ||
    belowFloor !== blank.belowFloor ||
    otherChannels !== blank.otherChannels ||
    refuseCrossChannel !== blank.refuseCrossChannel ||
    JSON.stringify(filter) !== JSON.stringify(blank.filter)
  );
}

function MarketplaceMargins({ form }: Pick<PartProps, 'form'>): React.JSX.Element {
  return (
    <fieldset>
      <legend className="font-medium">Minimum margin by marketplace</legend>
      <p className="text-sm text-fg-muted">Leave blank to use the margin above.</p>
      <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-3">
        {MARKETPLACES.map((marketplace) => (
          <NumberField
            key={marketplace}
            label={MARKETPLACE_NAMES[marketplace]}
            unit="%"
            error={errorAt(form.formState.errors, `marketplaceMargins.${marketplace}`)}
            {...form.register(`marketplaceMargins.${marketplace}`)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Cases({ form, draft }: PartProps): React.JSX.Element {
  const isStrategy = draft.way === 'strategy';
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">
        {isStrategy ? 'When there is no usable competitor' : 'Competitors on other channels'}
      </legend>
      {isStrategy && draft.strategy !== 'Dynamic Pricing' && (
        <SelectField
          label="No competitor"
          options={NO_COMPETITOR.map((value) => ({ value, label: NO_COMPETITOR_LABELS[value] }))}
          value={draft.noCompetitor}
          onChange={(value) => form.setValue('noCompetitor', value, { shouldDirty: true })}
        />
      )}
      {isStrategy && (
        <SelectField
          label="Competitor is below your margin floor"
          options={BELOW_FLOOR.map((value) => ({ value, label: BELOW_FLOOR_LABELS[value] }))}
          value={draft.belowFloor}
          onChange={(value) => form.setValue('belowFloor', value, { shouldDirty: true })}
        />
      )}
      <Checkbox
        label="Include other channels"
        hint="Competitor offers for the same SKU on your other marketplaces count too."
        checked={draft.otherChannels}
        onChange={(value) => form.setValue('otherChannels', value, { shouldDirty: true })}
      />
    </fieldset>
  );
}

function OwnChannels({ form, draft }: PartProps): React.JSX.Element {
  return (
    <fieldset>
      <legend className="mb-2 font-medium">Your prices on other channels</legend>
      <Checkbox
        label="Never higher on Walmart or Amazon"
        hint="Walmart and Amazon may suppress an offer you sell for less elsewhere. A price that would create or widen such a gap is only recommended. Prices below the margin floor are still corrected."
        checked={draft.refuseCrossChannel}
        onChange={(value) => form.setValue('refuseCrossChannel', value, { shouldDirty: true })}
      />
    </fieldset>
  );
}

function OfferFilters({ form, draft }: PartProps): React.JSX.Element {
  const { errors } = form.formState;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">Offers to compare with</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <NumberField
          label="Minimum seller rating (% positive)"
          unit="%"
          hint="Offers without ratings are then excluded."
          error={errors.filter?.minRating?.message}
          {...form.register('filter.minRating')}
        />
        <NumberField
          label="Minimum number of ratings"
          inputMode="numeric"
          error={errors.filter?.minRatingCount?.message}
          {...form.register('filter.minRatingCount')}
        />
        <NumberField
          label="Maximum handling time (days)"
          inputMode="numeric"
          error={errors.filter?.maxHandlingDays?.message}
          {...form.register('filter.maxHandlingDays')}
        />
        <SelectField
          label="Shipped by"
          options={[
            { value: '' as const, label: 'Any seller' },
            ...FULFILLMENT_TYPES.map((value) => ({ value, label: `${value} only` })),
          ]}
          value={draft.filter.fulfillmentType}
          onChange={(value) => form.setValue('filter.fulfillmentType', value, { shouldDirty: true })}
        />
      </div>
      <TextAreaField
        label="Sellers to ignore"
        hint="One per line. Not case-sensitive."
        rows={3}
        error={errorAt(errors, 'filter.ignoreSellers')}
        {...form.register('filter.ignoreSellers')}
      />
    </fieldset>
  );
}
