import { CircleCheck } from 'lucide-react';
import type { Backups } from '#contract/backups.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { useBackUpNow, useConfirmRestore } from './backup-calls.ts';
import { SettingBlock } from './settings-section.tsx';

/** Files that are shown. */
const SHOWN = 10;

/** How the last backup went, the files, and a button that makes one now. */
export function BackupsMade({ backups }: { backups: Backups }): React.JSX.Element {
  const { last, failure, isOverdue, isUnderWay, unconfirmedRestoreAt, files } = backups;
  const start = useBackUpNow();
  return (
    <SettingBlock>
      {unconfirmedRestoreAt !== null && <UnconfirmedRestore since={unconfirmedRestoreAt} />}
      {failure !== null && (
        <Callout tone="danger" title="The last backup failed">
          <p className="text-fg-muted">{failure.problem}</p>
        </Callout>
      )}
      {failure === null && isOverdue && (
        <Callout tone="danger" title="No backup was made for more than two days">
          <p className="text-fg-muted">
            Check that Pricewright runs at the time of day below, or make a backup now.
          </p>
        </Callout>
      )}
      {last?.isOnDataDisk === true && (
        <Callout tone="info" title="Backups are on the same disk as the data">
          <p className="text-fg-muted">
            If that disk fails, the backups are lost too. Choose a folder on another disk, or copy them to
            another machine.
          </p>
        </Callout>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status">
          {isUnderWay ? (
            'A backup is being made.'
          ) : last === null ? (
            'No scheduled backup was made yet.'
          ) : (
            <>
              Last backup <MomentText iso={last.takenAt} />, {sizeText(last.bytes)}
            </>
          )}
        </p>
        <Button
          look="outline"
          disabled={isUnderWay}
          pending={start.isPending}
          pendingText="Starting..."
          onClick={() => start.mutate()}
        >
          Back up now
        </Button>
      </div>
      {files.length > 0 && <Files files={files} />}
    </SettingBlock>
  );
}

function UnconfirmedRestore({ since }: { since: string }): React.JSX.Element {
  const confirm = useConfirmRestore();
  return (
    <Callout tone="info" title="No backups are scheduled: this database was restored or copied">
      <p className="text-fg-muted">
        Since <MomentText iso={since} /> no backups are scheduled here and no events of marketplaces are
        received, so that a copy does not interfere with the original. Confirm the restore once this database
        replaces the original. Going live confirms it too. Older backup files stay until you delete them.
      </p>
      <Button
        look="outline"
        className="mt-3"
        pending={confirm.isPending}
        pendingText="Confirming..."
        onClick={() => confirm.mutate()}
      >
        Confirm restore
      </Button>
    </Callout>
  );
}

function Files({ files }: Pick<Backups, 'files'>): React.JSX.Element {
  return (
    <div>
      <PlainTable caption="Backup files" isBare>
        <thead>
          <tr>
            <HeadCell>Moment</HeadCell>
            <HeadCell className="max-md:hidden">File</HeadCell>
            <HeadCell>Size</HeadCell>
            <HeadCell>Read back</HeadCell>
          </tr>
        </thead>
        <tbody>
          {files.slice(0, SHOWN).map(({ name, takenAt, bytes, isChecked }) => (
            <tr key={name}>
              <Cell>
                <MomentText iso={takenAt} />
              </Cell>
              <Cell className="wrap-anywhere max-md:hidden">{name}</Cell>
              <Cell className="whitespace-nowrap tabular-nums">{sizeText(bytes)}</Cell>
              <Cell>
                {isChecked ? (
                  <Badge tone="success" icon={CircleCheck}>
                    Checked
                  </Badge>
                ) : (
                  <span className="text-fg-muted">Not by this schedule</span>
                )}
              </Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {files.length > SHOWN && (
        <p className="pt-2 text-sm text-fg-muted">
          The newest {SHOWN} of {files.length === 100 ? '100 or more' : files.length}
        </p>
      )}
    </div>
  );
}

/** "12 KB", "1.2 MB", "3.4 GB" */
function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} KB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
