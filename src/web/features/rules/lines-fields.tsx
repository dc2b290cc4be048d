import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import type { RuleDraft } from './rule-draft.ts';
import type { RuleFormState } from './rule-fields.tsx';
import type { DraftPreview } from './use-draft-preview.ts';
import { errorAt } from './use-form-errors.ts';

type PartProps = { form: RuleFormState; draft: RuleDraft };

/** The lines of a rule as text; with lines, what they use. */
export function LinesFields({ form, draft }: PartProps & { preview: DraftPreview }): React.JSX.Element {
  const { errors } = form.formState;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Lines</legend>
      <TextAreaField
        label="Lines"
        hint='One case per line, such as "winning: hold". The first that applies decides. Blank uses the strategy.'
        rows={draft.lines === '' ? 3 : 7}
        spellCheck={false}
        autoComplete="off"
        className="font-mono text-sm"
        error={errors.lines?.message}
        {...form.register('lines')}
      />
      {draft.lines.trim() !== '' && <LineTerms form={form} draft={draft} />}
    </fieldset>
  );
}

function LineTerms({ form, draft }: PartProps): React.JSX.Element {
  const { errors } = form.formState;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          label="Target margin"
          unit="%"
          hint="The margin that target margin asks for."
          error={errors.targetMargin?.message}
          {...form.register('targetMargin')}
        />
        <NumberField
          label="Winning from a buy box share of"
          unit="%"
          hint="Blank means 50%."
          error={errors.winShare?.message}
          {...form.register('winShare')}
        />
        <NumberField
          label="Ignore offers below your lowest price by more than"
          unit="%"
          hint="Blank ignores none."
          error={errors.ignoreUnderFloor?.message}
          {...form.register('ignoreUnderFloor')}
        />
      </div>
      <Checkbox
        label="Same shipping only"
        hint="FBA/WFS listings are compared only with offers that ship from the warehouse."
        checked={draft.onlySameShipping ?? false}
        onChange={(value) => form.setValue('onlySameShipping', value, { shouldDirty: true })}
      />
      <fieldset>
        <legend className="font-medium">Target margin by marketplace</legend>
        <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-3">
          {MARKETPLACES.map((marketplace) => (
            <NumberField
              key={marketplace}
              label={`${MARKETPLACE_NAMES[marketplace]} target`}
              unit="%"
              error={errorAt(errors, `marketplaceTargets.${marketplace}`)}
              {...form.register(`marketplaceTargets.${marketplace}`)}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}
