import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { FieldPath } from 'react-hook-form';
import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { RULE_FULFILLMENTS } from '#domain/rules/rule.ts';
import { WINDOW_EXAMPLE } from '#domain/rules/schedule.ts';
import { type FigureScope, LABEL_SCOPES, type LabelScope } from '#domain/rules/segment.ts';
import { classNames } from '#web/lib/class-names.ts';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { LabelPicker } from '#web/ui/table/label-picker.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { foldClasses } from './fold-classes.ts';
import { formOf, type RuleDraft } from './rule-draft.ts';
import type { RuleFormState } from './rule-fields.tsx';
import { isCrowdedOutOf, PriorityOffer, ScopeCountsNote } from './scope-counts.tsx';
import { scopeText } from './scope-text.ts';
import { useStoreZone, zoneName } from './store-time.ts';
import { TimeZoneNote } from './time-zone-note.tsx';
import { errorAt } from './use-form-errors.ts';
import type { ScopeCounts } from './use-scope-counts.ts';

type PartProps = { form: RuleFormState; draft: RuleDraft };

type ScopeFieldsProps = PartProps & { scope: ScopeCounts };

/** Which listings, when and in which order: closed, with its value in one sentence. Unfolded by an error. */
export function ScopeFields({ form, draft, scope }: ScopeFieldsProps): React.JSX.Element {
  const contentId = useId();
  const fold = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const zone = useStoreZone();
  const isShown = isOpen || form.formState.errors.scope !== undefined;
  return (
    <Card className="p-0">
      <h2>
        <button
          ref={fold}
          type="button"
          aria-expanded={isShown}
          aria-controls={contentId}
          onClick={() => setOpen(!isShown)}
          className={foldClasses}
        >
          Which listings
          <ChevronDown aria-hidden className={classNames('ml-auto size-4', isShown && 'rotate-180')} />
        </button>
      </h2>
      <div className="flex flex-col gap-1 px-4 pb-3">
        <p className="wrap-anywhere">{scopeText(formOf(draft), zoneName(zone))}</p>
        <ScopeCountsNote scope={scope} />
        {isCrowdedOutOf(scope) && (
          <PriorityOffer
            priority={draft.scope.priority}
            onPriority={(priority) => {
              form.setValue('scope.priority', priority, { shouldDirty: true });
              // The offer disappears then, and the focus must not get lost with it.
              fold.current?.focus();
            }}
          />
        )}
      </div>
      <div id={contentId} className={classNames('flex-col gap-5 border-t p-4', isShown ? 'flex' : 'hidden')}>
        <WhichListings form={form} draft={draft} />
        {draft.marketplace === '' && <SeveralMarketplaces form={form} draft={draft} />}
        <Labels form={form} draft={draft} />
        <Figures form={form} />
        <WhenAndOrder form={form} draft={draft} />
      </div>
    </Card>
  );
}

function WhichListings({ form, draft }: PartProps): React.JSX.Element {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="sr-only">Applies to</legend>
      <SelectField
        label="Marketplace"
        options={[
          { value: '' as const, label: 'All marketplaces' },
          ...MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] })),
        ]}
        value={draft.marketplace}
        onChange={(marketplace) => form.setValue('marketplace', marketplace, { shouldDirty: true })}
      />
      <SelectField
        label="Fulfillment type"
        options={RULE_FULFILLMENTS.map((value) => ({ value, label: value }))}
        value={draft.fulfillmentType}
        onChange={(type) => form.setValue('fulfillmentType', type, { shouldDirty: true })}
      />
    </fieldset>
  );
}

function SeveralMarketplaces({ form, draft }: PartProps): React.JSX.Element {
  const { marketplaces } = draft.scope;
  return (
    <fieldset>
      <legend className="font-medium">Only these marketplaces</legend>
      <div className="mt-1 grid grid-cols-2 gap-x-4 sm:grid-cols-3">
        {MARKETPLACES.map((each) => (
          <Checkbox
            key={each}
            label={MARKETPLACE_NAMES[each]}
            checked={marketplaces.includes(each)}
            onChange={(isChosen) =>
              form.setValue(
                'scope.marketplaces',
                MARKETPLACES.filter((one) => (one === each ? isChosen : marketplaces.includes(one))),
                { shouldDirty: true },
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

const LABELS = {
  brands: { field: 'brand', name: 'Brands', any: 'Any brand' },
  categories: { field: 'category', name: 'Categories', any: 'Any category' },
  tags: { field: 'tag', name: 'Tags', any: 'Any tags' },
  suppliers: { field: 'supplier', name: 'Suppliers', any: 'Any supplier' },
} as const;

function Labels({ form, draft }: PartProps): React.JSX.Element {
  const [open, setOpen] = useState<LabelScope | null>(null);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {LABEL_SCOPES.map((scope) => {
        const { field, name, any } = LABELS[scope];
        const chosen = draft.scope[scope];
        return (
          <LabelPicker
            key={scope}
            list="listings"
            field={field}
            name={name}
            none={null}
            text={chosen.length === 0 ? any : chosen.join(', ')}
            chosen={chosen}
            isOpen={open === scope}
            onOpen={(isOpen) => setOpen(isOpen ? scope : null)}
            onChange={(labels) => {
              form.setValue(`scope.${scope}`, labels, { shouldDirty: true });
              form.clearErrors(`scope.${scope}`);
            }}
            error={errorAt(form.formState.errors, `scope.${scope}`)}
          />
        );
      })}
    </div>
  );
}

const FIGURES = [
  {
    field: 'ownPrice',
    name: 'Own price',
    unit: '$',
    hint: 'The last price set by you, an import or the marketplace.',
  },
  { field: 'cost', name: 'Cost', unit: '$', hint: 'Without the fulfillment fee.' },
  { field: 'listedDays', name: 'Days since listing', hint: 'Whole days since it was added.' },
  { field: 'stock', name: 'Stock', hint: 'At the start of the day.' },
  {
    field: 'stockAgeDays',
    name: 'Stock age',
    hint: 'Days, from the listings file, at the start of the day.',
  },
] as const satisfies readonly { field: FigureScope; name: string; unit?: '$'; hint: string }[];

function Figures({ form }: Pick<PartProps, 'form'>): React.JSX.Element {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {FIGURES.map(({ field, name, hint, ...more }) => (
        <fieldset key={field}>
          <legend className="font-medium">{name}</legend>
          <p className="text-sm text-fg-muted">{hint}</p>
          <div className="mt-1 grid grid-cols-2 gap-2">
            {(['from', 'to'] as const).map((end) => {
              const path = `scope.${field}.${end}` as FieldPath<RuleDraft>;
              return (
                <NumberField
                  key={end}
                  label={end === 'from' ? 'From' : 'To'}
                  {...('unit' in more ? { unit: more.unit } : { inputMode: 'numeric' as const })}
                  error={errorAt(form.formState.errors, path)}
                  {...form.register(path)}
                />
              );
            })}
          </div>
        </fieldset>
      ))}
    </div>
  );
}

function WhenAndOrder({ form, draft }: PartProps): React.JSX.Element {
  const { errors } = form.formState;
  return (
    <>
      <NumberField
        label="Priority"
        inputMode="numeric"
        hint="1 to 999. The lowest number takes precedence over everything else; blank comes last."
        error={errorAt(errors, 'scope.priority')}
        {...form.register('scope.priority')}
      />
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-1 font-medium">Schedule</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="First day"
            type="date"
            error={errorAt(errors, 'scope.activeFrom')}
            {...form.register('scope.activeFrom')}
          />
          <TextField
            label="First day without the rule"
            type="date"
            error={errorAt(errors, 'scope.activeUntil')}
            {...form.register('scope.activeUntil')}
          />
        </div>
        <TextAreaField
          label="Days and hours"
          hint={`One per line, such as ${WINDOW_EXAMPLE} or sat 22:00-04:00. Blank: all day, every day.`}
          rows={2}
          spellCheck={false}
          error={errorAt(errors, 'scope.windows')}
          {...form.register('scope.windows')}
        />
        {(draft.scope.windows.trim() !== '' || draft.scope.activeFrom || draft.scope.activeUntil) && (
          <TimeZoneNote />
        )}
      </fieldset>
    </>
  );
}
