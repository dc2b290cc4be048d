import { NumberField } from '#web/ui/number-field.tsx';
import { LIMIT_GROUPS, type LimitField, readLimit, valueText } from './limit-fields.ts';
import { SETTING_ROW, SettingsSection } from './settings-section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

/** The limits for every rule. */
export function RepricingLimitsSection({ draft }: { draft: SettingsDraft }): React.JSX.Element {
  return (
    <SettingsSection
      id="limits"
      subtitle="Limits that apply to every rule. Prices never go below the minimum margin, whatever you set here."
    >
      {LIMIT_GROUPS.map(({ title, fields }) => (
        <fieldset key={title}>
          <legend className="float-left w-full border-b bg-hover px-4 py-1.5 text-sm font-medium text-fg-muted">
            {title}
          </legend>
          <div className="clear-both divide-y divide-border">
            {fields.map((field) => (
              <LimitInput key={field.name} field={field} draft={draft} />
            ))}
          </div>
        </fieldset>
      ))}
    </SettingsSection>
  );
}

function LimitInput({ field, draft }: { field: LimitField; draft: SettingsDraft }): React.JSX.Element {
  const text = draft.guardTexts[field.name];
  const { value } = readLimit(field, text);
  const example = value === null ? '' : ` At ${valueText(field, value)}, ${field.example(value)}`;
  return (
    <NumberField
      isRow
      fieldClassName={SETTING_ROW}
      label={field.label}
      {...(field.unit === null ? {} : { unit: field.unit })}
      hint={`${field.does}${example} Default: ${field.standard}.`}
      error={draft.problems[field.name]}
      value={text}
      onChange={(event) => draft.setLimit(field.name, event.target.value)}
    />
  );
}
