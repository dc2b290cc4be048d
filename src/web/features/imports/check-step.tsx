import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Import } from '#contract/imports.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { type RowStatus, useRunImport } from '#web/ui/imports/import-calls.ts';
import { KINDS } from '#web/ui/imports/kinds.ts';
import { ProblemGroups } from '#web/ui/imports/problem-groups.tsx';
import { ErrorCallout, ImportNotes, RejectedRowsFile } from '#web/ui/imports/report-parts.tsx';
import { Failure } from '#web/ui/imports/upload-progress.tsx';
import { validRows } from '#web/ui/imports/use-file-import.ts';
import { RadioGroupField } from '#web/ui/radio-group-field.tsx';
import { TimeZoneDialog } from '#web/ui/time-zone-dialog.tsx';
import { CostEffectCard, hasUnseenJumps } from './cost-effect.tsx';
import { DeclaredSellers } from './declared-sellers.tsx';
import { type ImportDraft, isChanged, isOwnSeller } from './import-draft.ts';
import { JobCard } from './job-card.tsx';
import { RowStatusFilter } from './row-status-filter.tsx';
import { RowStatusLines } from './row-status-lines.tsx';
import { SellersQuestion } from './sellers-question.tsx';
import { useIsAdmin } from './use-is-admin.ts';

type CheckStepProps = {
  imported: Import;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

const ROW_STATUSES = ['create', 'update', 'unchanged', 'rejected'] as const;

/** What the file would do, row by row, before it does it. */
export function CheckStep({ imported, draft, onChange }: CheckStepProps): React.JSX.Element {
  const { params, set } = useUrlParams();
  const isAdmin = useIsAdmin();
  const { counts } = imported;
  if (imported.state === 'checking' || counts === null) {
    return <JobCard title="Checking the file" step="check" label="Checking" jobId={imported.jobId} />;
  }
  const status = oneOf(ROW_STATUSES, params.status ?? params.verdict, firstToShow(counts));
  return (
    <>
      <ErrorCallout imported={imported} />
      {isChanged(imported, draft) && <ColumnsChanged />}
      <ImportNotes imported={imported} />
      {imported.rulesInUtc > 0 && <TimesInUtc rules={imported.rulesInUtc} isAdmin={isAdmin} />}
      <section aria-label="What will change" className="flex flex-col gap-4">
        <RowStatusFilter counts={counts} value={status} onChange={(next) => set({ status: next }, true)} />
        {status === 'rejected' && counts.rejected > 0 && (
          <>
            <ProblemGroups groups={imported.problems} />
            <RejectedRowsFile imported={imported} />
          </>
        )}
        {counts.rows > 0 && <RowStatusLines imported={imported} status={status} count={counts[status]} />}
      </section>
      {imported.effect !== null && (
        <CostEffectCard effect={imported.effect} draft={draft} onChange={onChange} />
      )}
      {imported.sellers.length > 0 &&
        (isAdmin ? (
          <SellersQuestion imported={imported} draft={draft} onChange={onChange} />
        ) : (
          <DeclaredSellers imported={imported} />
        ))}
      <RunForm imported={imported} draft={draft} onChange={onChange} />
    </>
  );
}

function ColumnsChanged(): React.JSX.Element {
  return (
    <Callout tone="info" title="You chose other columns after this check">
      <p className="text-fg-muted">
        <Link to="." search={{ step: 'columns' }} className="rounded-sm text-link underline">
          Go back to the columns
        </Link>{' '}
        and check the file again to use them.
      </p>
    </Callout>
  );
}

/** Rules with hours, days or dates, while it is not known where the store is. */
function TimesInUtc({ rules, isAdmin }: { rules: number; isAdmin: boolean }): React.JSX.Element {
  const which = countOf(rules, 'rule has', 'rules have');
  return (
    <Callout tone="info" title={`${which} hours, days or dates, and your store has no time zone`}>
      <p className="text-fg-muted">
        {isAdmin ? (
          <>
            They use UTC until you set it, here when you import or in{' '}
            <Link to="/settings" className="rounded-sm text-link underline">
              Settings
            </Link>
            .
          </>
        ) : (
          'They use UTC until an administrator sets it.'
        )}
      </p>
    </Callout>
  );
}

/** The step that writes: everything valid, or nothing unless everything is valid. */
function RunForm({ imported, draft, onChange }: CheckStepProps): React.JSX.Element | null {
  const { set } = useUrlParams();
  const isAdmin = useIsAdmin();
  const run = useRunImport(imported.id);
  const [isAskingZone, setIsAskingZone] = useState(false);
  const { counts, kind } = imported;
  if (counts === null) return null;
  const valid = validRows(imported);
  if (valid === 0) {
    return (
      <Callout tone="danger" title="No data to import">
        <p className="text-fg-muted">{noDataText(imported, counts.rows)}</p>
      </Callout>
    );
  }
  // Offers that are the same may still come with an answer to which sellers are ours.
  if (counts.unchanged === valid && kind !== 'offers') {
    return (
      <Callout tone="info" title="Nothing to import">
        <p className="text-fg-muted">
          {counts.rejected > 0 ? 'Every valid row' : 'Every row'} already matches your data.
        </p>
      </Callout>
    );
  }
  const start = (): void => {
    const own = imported.sellers.filter((seller) => isOwnSeller(seller, draft));
    const ownSellers = own.map(({ marketplace, name }) => ({ marketplace, name }));
    run.mutate(
      {
        checkId: imported.checkId ?? '0',
        allOrNothing: draft.allOrNothing,
        ...(imported.effect === null ? {} : { jumps: draft.jumps }),
        ...(kind === 'offers' && isAdmin ? { ownSellers } : {}),
      },
      { onSuccess: () => set({ step: undefined, status: undefined }) },
    );
  };
  return (
    <Card className="flex flex-col gap-4">
      {counts.rejected > 0 && (
        <RadioGroupField
          label={`What about the ${counts.rejected === 1 ? 'rejected row' : `${formatCount(counts.rejected)} rejected rows`}?`}
          className="md:grid md:grid-cols-2"
          options={[
            {
              value: 'valid',
              label: 'Import the valid rows',
              hint: 'Rejected rows are skipped. Import them later from their own file.',
            },
            { value: 'all', label: 'All or nothing', hint: 'Nothing is imported while any row is rejected.' },
          ]}
          value={draft.allOrNothing ? 'all' : 'valid'}
          onChange={(value) => onChange({ allOrNothing: value === 'all' })}
        />
      )}
      {run.isError && !isDeclined(run.error) && <Failure title="Nothing was saved" error={run.error} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          onClick={() => (imported.rulesInUtc > 0 ? setIsAskingZone(true) : start())}
          pending={run.isPending}
          pendingText="Starting..."
          disabled={hasUnseenJumps(imported, draft)}
        >
          {`Import ${countOf(valid, KINDS[kind].one, KINDS[kind].many)}`}
        </Button>
        <p className="text-sm text-fg-muted">
          {formatCount(counts.create)} new, {formatCount(counts.update)} changed,{' '}
          {formatCount(counts.unchanged)} unchanged. Nothing has been saved yet.
        </p>
      </div>
      {isAskingZone && (
        <TimeZoneDialog
          purpose="import"
          onCancel={() => setIsAskingZone(false)}
          onSave={() => {
            setIsAskingZone(false);
            start();
          }}
        />
      )}
    </Card>
  );
}

function noDataText({ kind, error }: Import, rows: number): string {
  if (kind === 'bundles') return 'The CSV file contains no valid bundle configurations.';
  if (rows > 0) return 'No valid rows. Correct the rejected rows, or go back to the columns.';
  return error === null ? 'The file has a header and no rows.' : 'Could not read the file.';
}

function firstToShow(counts: Record<RowStatus, number>): RowStatus {
  if (counts.rejected > 0) return 'rejected';
  if (counts.update > 0) return 'update';
  return counts.create > 0 ? 'create' : 'unchanged';
}
