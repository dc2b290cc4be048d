import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Backups } from '#contract/backups.ts';
import { SECRET_MASK } from '#contract/settings.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { RadioGroupField } from '#web/ui/radio-group-field.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { backupsQuery, useSaveBackups } from './backup-calls.ts';
import { BackupsMade } from './backups-made.tsx';
import { type BucketDraft, BucketFields, bucketDraftOf, enteredBucket } from './bucket-fields.tsx';
import { SettingBlock, SettingsSection } from './settings-section.tsx';
import { type ReportUnsaved, useReportUnsaved } from './unsaved-sections.ts';

/** The schedule of backups, apart from the other settings: it takes the password. */
export function BackupsSection({ onUnsaved }: { onUnsaved: ReportUnsaved }): React.JSX.Element {
  const backups = useQuery(backupsQuery);
  return (
    <SettingsSection
      id="backups"
      subtitle="Saves all data in one file each day while Pricewright runs, and verifies the file. Save these settings with Save backups, not Save All Settings."
    >
      {backups.data === undefined ? (
        <SettingBlock>
          {backups.error === null ? (
            <Spinner />
          ) : (
            <LoadFailed
              title="Failed to load the backups"
              error={backups.error}
              onRetry={() => void backups.refetch()}
              retrying={backups.isFetching}
            />
          )}
        </SettingBlock>
      ) : (
        <>
          <BackupsMade backups={backups.data} />
          {/* Saved or changed elsewhere: the form starts again from what is stored. */}
          <ScheduleForm
            key={backups.data.version}
            stored={backups.data}
            onReload={() => void backups.refetch()}
            onUnsaved={onUnsaved}
          />
        </>
      )}
    </SettingsSection>
  );
}

type Draft = Pick<Backups, 'isOn' | 'timeOfDay' | 'destination' | 'folder' | 'encrypts'> & {
  readonly bucket: BucketDraft;
  readonly keepDaily: string;
  readonly keepWeekly: string;
  readonly keepMonthly: string;
  /** As typed; "" keeps what is stored. */
  readonly passphrase: string;
};

const DESTINATIONS = [
  { value: 'folder', label: 'A folder on the server' },
  {
    value: 's3',
    label: 'A bucket of an S3-compatible service',
    hint: 'Amazon S3, MinIO, Backblaze B2, Cloudflare R2 and others. Each backup is written to the disk of the data first, read back, uploaded and deleted there.',
  },
] as const;

function draftOf(stored: Backups): Draft {
  const { isOn, timeOfDay, destination, folder, encrypts } = stored;
  return {
    isOn,
    timeOfDay,
    destination,
    folder,
    bucket: bucketDraftOf(stored),
    encrypts,
    keepDaily: String(stored.keepDaily),
    keepWeekly: String(stored.keepWeekly),
    keepMonthly: String(stored.keepMonthly),
    passphrase: '',
  };
}

type ScheduleFormProps = { stored: Backups; onReload: () => void; onUnsaved: ReportUnsaved };

function ScheduleForm({ stored, onReload, onUnsaved }: ScheduleFormProps): React.JSX.Element {
  const [draft, setDraft] = useState(() => draftOf(stored));
  const save = useSaveBackups(() =>
    setDraft((now) => ({ ...now, passphrase: '', bucket: { ...now.bucket, secretAccessKey: '' } })),
  );
  const errors = save.error instanceof ApiError ? save.error.fields : {};
  const set = (change: Partial<Draft>): void => {
    setDraft((now) => ({ ...now, ...change }));
    if (save.isError) save.reset();
  };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(stored));
  useReportUnsaved(onUnsaved, 'backups', isChanged);
  const keeps = [
    ['keepDaily', 'Days'],
    ['keepWeekly', 'Weeks'],
    ['keepMonthly', 'Months'],
  ] as const;
  const isStale = save.error instanceof ApiError && save.error.code === 'conflict';
  return (
    <SettingBlock>
      <Switch label="Back up every day" checked={draft.isOn} onChange={(isOn) => set({ isOn })} />
      <TextField
        label="Time of day"
        type="time"
        hint={`In ${stored.timeZone ?? 'UTC'}, the time zone of your store. A missed backup is made at the next start.`}
        fieldClassName="w-64"
        error={errors.timeOfDay}
        value={draft.timeOfDay}
        onChange={(event) => set({ timeOfDay: event.target.value })}
      />
      <RadioGroupField
        label="Where to"
        options={DESTINATIONS}
        value={draft.destination}
        onChange={(destination) => set({ destination })}
      />
      {draft.destination === 'folder' ? (
        <TextField
          label="Folder on the server"
          placeholder={stored.defaultFolder}
          hint="Choose a folder on another disk or a network drive. Backups on the disk of the data help after a mistake, not when the disk or the machine is lost."
          error={errors.folder}
          value={draft.folder}
          onChange={(event) => set({ folder: event.target.value })}
        />
      ) : (
        <BucketFields
          stored={stored}
          draft={draft.bucket}
          errors={errors}
          onChange={(change) => set({ bucket: { ...draft.bucket, ...change } })}
        />
      )}
      <fieldset>
        <legend className="mb-1 font-medium">Keep the newest backup of each of the last</legend>
        <div className="flex flex-wrap gap-4">
          {keeps.map(([name, label]) => (
            <NumberField
              key={name}
              label={label}
              inputMode="numeric"
              fieldClassName="w-28"
              error={errors[name]}
              value={draft[name]}
              onChange={(event) => set({ [name]: event.target.value })}
            />
          ))}
        </div>
        <p className="mt-1 text-sm text-fg-muted">
          Others that this schedule made are deleted. Files that it did not make always stay.
        </p>
      </fieldset>
      <Switch label="Encrypt backups" checked={draft.encrypts} onChange={(encrypts) => set({ encrypts })} />
      {draft.encrypts && (
        <PasswordField
          label="Passphrase of backups"
          autoComplete="new-password"
          maxLength={200}
          hint={passphraseHint(stored)}
          error={errors.passphrase}
          value={draft.passphrase}
          onChange={(event) => set({ passphrase: event.target.value })}
        />
      )}
      <p className="text-sm text-fg-muted">
        Keep two things outside of this machine: {draft.encrypts && 'the passphrase, and '}a copy of the
        master key (secret.key in the data folder), which no backup contains. Without the key a restore works,
        but the credentials of marketplaces have to be entered again.
        {draft.encrypts &&
          ' Without the passphrase nothing can be restored: the copy that is stored here only makes backups, and is lost with the database.'}
      </p>
      {save.error !== null && (
        <Callout tone="danger" role="alert" title="Could not save the backups">
          <p className="text-fg-muted">{errorText(save.error)}</p>
          {isStale && (
            <Button look="outline" className="mt-3" onClick={onReload}>
              Load new values
            </Button>
          )}
        </Callout>
      )}
      <div>
        <Button
          look="outline"
          disabled={!isChanged}
          pending={save.isPending}
          pendingText="Saving..."
          onClick={() =>
            save.mutate({
              isOn: draft.isOn,
              timeOfDay: draft.timeOfDay,
              destination: draft.destination,
              folder: draft.folder,
              bucket: enteredBucket(draft.bucket, stored),
              encrypts: draft.encrypts,
              keepDaily: wholeNumber(draft.keepDaily),
              keepWeekly: wholeNumber(draft.keepWeekly),
              keepMonthly: wholeNumber(draft.keepMonthly),
              passphrase: draft.passphrase === '' ? stored.passphrase : draft.passphrase,
              version: stored.version,
            })
          }
        >
          Save backups
        </Button>
      </div>
    </SettingBlock>
  );
}

function passphraseHint({ passphrase, hasEnvironmentPassphrase }: Backups): string {
  if (passphrase === SECRET_MASK)
    return 'Stored, not shown. Leave blank to keep it; a new one is for new backups.';
  return hasEnvironmentPassphrase
    ? 'At least 12 characters. Leave blank to use the one of the server, PRICEWRIGHT_BACKUP_PASSPHRASE.'
    : 'At least 12 characters, such as five random words.';
}

/** What is no whole number is rejected by the server, with its message at the field. */
function wholeNumber(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : -1;
}
