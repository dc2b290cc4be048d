import { ListPlus } from 'lucide-react';
import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { ApiError } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { LineNotes } from './line-notes.tsx';
import { LinesEditor } from './lines/lines-editor.tsx';
import type { RuleDraft } from './rule-draft.ts';
import type { RuleFormState } from './rule-fields.tsx';
import { haveTimes } from './store-time.ts';
import { TimeZoneNote } from './time-zone-note.tsx';
import { turnIntoLines } from './turn-into-lines.ts';
import type { DraftPreview } from './use-draft-preview.ts';
import { errorAt } from './use-form-errors.ts';

type PartProps = { form: RuleFormState; draft: RuleDraft };

type LinesFieldsProps = PartProps & { preview: DraftPreview };

/** The lines of a rule with what they use, and what is probably not meant. */
export function LinesFields({ form, draft, preview }: LinesFieldsProps): React.JSX.Element {
  const error = form.formState.errors.lines?.message ?? refusal(preview.error);
  const put = (lines: string): void => {
    form.setValue('lines', lines, { shouldDirty: true });
    form.clearErrors('lines');
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="sr-only">Lines</legend>
      {draft.lines === '' && <FromStrategy form={form} draft={draft} />}
      <LinesEditor
        text={draft.lines}
        error={error}
        counts={preview.isCurrent ? (preview.shown?.lines ?? []) : []}
        onChange={put}
      />
      {haveTimes(draft.lines) && <TimeZoneNote />}
      <LineNotes draft={draft} preview={preview} />
      {draft.lines.trim() !== '' && <LineTerms form={form} draft={draft} />}
    </fieldset>
  );
}

/** Why the server refuses the lines; undefined if it does not. */
function refusal(error: Error | null): string | undefined {
  return error instanceof ApiError ? (error.fields['rule.lines'] ?? error.fields.lines) : undefined;
}

/** The strategy in the form, written as lines that decide the same. */
function FromStrategy({ form, draft }: PartProps): React.JSX.Element {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button look="outline" onClick={() => turnIntoLines(form)}>
        <ListPlus aria-hidden />
        Turn into lines
      </Button>
      <p className="text-sm text-fg-muted">
        Writes {draft.strategy} as lines with the same result. The preview checks this.
      </p>
    </div>
  );
}

function LineTerms({ form, draft }: PartProps): React.JSX.Element {
  const { errors } = form.formState;
  return (
    <>
      {/* Labels of one and of two lines, fields below each other's. */}
      <div className="grid items-end gap-4 sm:grid-cols-2">
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
