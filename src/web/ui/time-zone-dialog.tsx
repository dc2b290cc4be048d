import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isTimeZone } from '#domain/time/time-zone.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { useSetTimeZone } from '#web/lib/use-set-time-zone.ts';
import { AlertDialog } from './alert-dialog.tsx';
import { TextField } from './text-field.tsx';

const TEXTS = {
  save: {
    whose: 'this rule',
    action: 'Save time zone and rule',
    utcTitle: 'Save this rule with times in UTC?',
    utcAction: 'Save rule',
  },
  import: {
    whose: 'these rules',
    action: 'Save time zone and import',
    utcTitle: 'Import these rules with times in UTC?',
    utcAction: 'Import rules',
  },
} as const;

type TimeZoneDialogProps = {
  /** What goes on once it is answered. */
  purpose: keyof typeof TEXTS;
  onCancel: () => void;
  /** The time zone is set, or the user agreed to UTC. */
  onSave: () => void;
};

/** Before rules with hours, days or dates are saved in a store without a time zone. */
export function TimeZoneDialog(props: TimeZoneDialogProps): React.JSX.Element {
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  return isAdmin ? <ZoneForm {...props} /> : <UtcQuestion {...props} />;
}

function ZoneForm({ purpose, onCancel, onSave }: TimeZoneDialogProps): React.JSX.Element {
  const [zone, setZone] = useState(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [isSent, setIsSent] = useState(false);
  const setting = useSetTimeZone();
  const isUsable = isTimeZone(zone.trim());
  const problem = isUsable || !isSent ? refusal(setting.error) : 'Enter a time zone such as America/New_York';
  return (
    <AlertDialog
      open
      title="In which time zone is your store?"
      action={TEXTS[purpose].action}
      pendingText="Saving..."
      pending={setting.isPending}
      isDanger={false}
      onCancel={onCancel}
      onConfirm={() => {
        setIsSent(true);
        if (isUsable) setting.mutate(zone.trim(), { onSuccess: onSave });
      }}
    >
      <p>
        Hours, days and dates of {TEXTS[purpose].whose}, and days of profit, use this time zone. It is not set
        yet.
      </p>
      <TextField
        label="Time zone"
        fieldClassName="mt-3 text-fg"
        list="time-zones-of-rule"
        value={zone}
        error={problem}
        onChange={(event) => setZone(event.target.value)}
      />
      <datalist id="time-zones-of-rule">
        {Intl.supportedValuesOf('timeZone').map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </AlertDialog>
  );
}

function refusal(error: Error | null): string | undefined {
  if (error === null || isDeclined(error)) return undefined;
  return (error instanceof ApiError ? error.fields.timeZone : undefined) ?? errorText(error);
}

/** Only administrators set the time zone. */
function UtcQuestion({ purpose, onCancel, onSave }: TimeZoneDialogProps): React.JSX.Element {
  return (
    <AlertDialog
      open
      title={TEXTS[purpose].utcTitle}
      action={TEXTS[purpose].utcAction}
      isDanger={false}
      onCancel={onCancel}
      onConfirm={onSave}
    >
      <p>
        No time zone is set for your store, so the hours, days and dates of {TEXTS[purpose].whose} count in
        UTC. An administrator can set it in Settings.
      </p>
    </AlertDialog>
  );
}
