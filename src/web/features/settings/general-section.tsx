import { STANDARD_CHECK_INTERVAL } from '#contract/settings.ts';
import { typedNumber } from '#web/lib/typed-numbers.ts';
import { NumberField } from '#web/ui/number-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { SETTING_ROW, SettingsSection } from './settings-section.tsx';
import { SwitchRow } from './switch-row.tsx';
import type { ValuesDraft } from './use-values-draft.ts';

/** Settings for all marketplaces. */
export function GeneralSection({ draft }: { draft: ValuesDraft }): React.JSX.Element {
  const interval = draft.text('checkInterval');
  const minutes = typedNumber(interval);
  return (
    <SettingsSection
      id="general"
      subtitle="Automatic repricing, check interval, time zone and notifications."
    >
      <SwitchRow
        label="Automatic repricing"
        hint="When off, prices are recommended but never changed automatically. Default: on."
        checked={draft.isOn('autoRepricing')}
        onChange={(isOn) => draft.set('autoRepricing', isOn)}
      />
      <NumberField
        label="Check interval"
        unit="min"
        isRow
        fieldClassName={SETTING_ROW}
        hint={`How often Pricewright checks every listing. Listings are also checked when their data changes.${minutes === null ? '' : ` Every listing is checked again at least every ${minutes} min.`} Default: ${STANDARD_CHECK_INTERVAL} min.`}
        error={draft.problems.checkInterval}
        value={interval}
        onChange={(event) => draft.set('checkInterval', event.target.value)}
        onBlur={() => {
          if (minutes === null) draft.set('checkInterval', String(STANDARD_CHECK_INTERVAL));
        }}
      />
      <TextField
        label="Time zone"
        isRow
        fieldClassName={SETTING_ROW}
        hint="Time zone of your store. Rule hours, days and dates and days of profit use it; blank means UTC."
        error={draft.problems.timeZone}
        placeholder="UTC"
        list="time-zones"
        value={draft.text('timeZone')}
        onChange={(event) => draft.set('timeZone', event.target.value)}
      />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <SwitchRow
        label="Notifications"
        hint="Emails alerts and a daily summary to administrators, and shows everyone a message when a job finishes or repricing is halted. When off, check the alert bell and the Jobs list. Default: on."
        checked={draft.isOn('notifications')}
        onChange={(isOn) => draft.set('notifications', isOn)}
      />
    </SettingsSection>
  );
}
