import type { Account } from '#contract/account.ts';
import { Switch } from '#web/ui/switch.tsx';
import { AccountSection } from './account-section.tsx';
import { useWeeklySummary } from './queries.ts';

/** Which emails the user wants. */
export function EmailsCard({ profile }: { profile: Account['profile'] }): React.JSX.Element {
  const save = useWeeklySummary(profile.fullName);
  // As asked for until the account is loaded again.
  const isOn = save.isPending ? save.variables : profile.weeklySummary;
  return (
    <AccountSection title="Emails" subtitle={`Sent to ${profile.email}.`}>
      <Switch
        label="Weekly summary: revenue, profit, units and the weakest listings of the week, on Mondays from 06:00 in the time zone of your store"
        checked={isOn}
        onChange={(next) => save.mutate(next)}
      />
    </AccountSection>
  );
}
