import { STANDARD_CHECK_INTERVAL } from '#contract/settings.ts';
import { typedNumber } from '#web/lib/typed-numbers.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { SettingsSection } from './settings-section.tsx';
import type { ValuesDraft } from './use-values-draft.ts';

/** What holds for the whole shop. */
export function GeneralSection({ draft }: { draft: ValuesDraft }): React.JSX.Element {
  const interval = draft.text('checkInterval');
  const minutes = typedNumber(interval);
  return (
    <SettingsSection
      id="general"
      title="General Settings"
      subtitle="Whether the engine changes prices, how often it looks, and what pops up."
    >
      <Checkbox
        label="Automatic repricing"
        hint="Off, the engine still decides every listing but only recommends prices: nothing changes until a person applies it. Default on."
        checked={draft.isOn('autoRepricing')}
        onChange={(isOn) => draft.set('autoRepricing', isOn)}
      />
      <NumberField
        label="Check interval"
        unit="min"
        fieldClassName="max-w-md"
        hint={`How often every listing is looked at again, besides whenever something about it changes.${minutes === null ? '' : ` A listing nothing happened to is decided again after ${minutes} min.`} Default ${STANDARD_CHECK_INTERVAL} min.`}
        error={draft.problems.checkInterval}
        value={interval}
        onChange={(event) => draft.set('checkInterval', event.target.value)}
        onBlur={() => {
          if (minutes === null) draft.set('checkInterval', String(STANDARD_CHECK_INTERVAL));
        }}
      />
      <Checkbox
        label="Notifications"
        hint="Administrators get a mail about what needs them, and one a day; open pages of everybody pop up a message when a job ends, and when somebody or the circuit breaker halts the engine. Off, only the bell, the jobs list and the bar under the header say so. Default on."
        checked={draft.isOn('notifications')}
        onChange={(isOn) => draft.set('notifications', isOn)}
      />
    </SettingsSection>
  );
}
