import { NumberField } from '#web/ui/number-field.tsx';
import { GUARD_GROUPS, type GuardField, readGuard, valueText } from './limit-fields.ts';
import { SettingsSection } from './settings-section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

/** The limits for every rule. */
export function RepricingLimitsSection({ draft }: { draft: SettingsDraft }): React.JSX.Element {
  return (
    <SettingsSection
      id="guards"
      title="Repricing limits"
      subtitle="Limits that apply to every rule. Prices never go below the minimum margin, whatever you set here."
    >
      {GUARD_GROUPS.map(({ title, fields }) => (
        <fieldset key={title} className="border-t pt-4">
          <legend className="float-left mb-4 w-full font-semibold">{title}</legend>
          <div className="clear-both grid gap-x-8 gap-y-6 md:grid-cols-2 wide:grid-cols-3">
            {fields.map((field) => (
              <GuardInput key={field.name} field={field} draft={draft} />
            ))}
          </div>
        </fieldset>
      ))}
    </SettingsSection>
  );
}

function GuardInput({ field, draft }: { field: GuardField; draft: SettingsDraft }): React.JSX.Element {
  const text = draft.guardTexts[field.name];
  const { value } = readGuard(field, text);
  const example = value === null ? '' : ` At ${valueText(field, value)}, ${field.example(value)}`;
  return (
    <NumberField
      label={field.label}
      {...(field.unit === null ? {} : { unit: field.unit })}
      hint={`${field.does}${example} Default: ${field.standard}.`}
      error={draft.problems[field.name]}
      value={text}
      onChange={(event) => draft.setGuard(field.name, event.target.value)}
    />
  );
}
