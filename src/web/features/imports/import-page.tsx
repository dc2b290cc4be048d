import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Import } from '#contract/imports.ts';
import { ApiError } from '#web/lib/api.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { importQuery } from '#web/ui/imports/import-calls.ts';
import { reportCheck, reportEnd, useStateChange } from '#web/ui/imports/import-news.ts';
import { KINDS } from '#web/ui/imports/kinds.ts';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { CheckStep } from './check-step.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { type ImportDraft, newDraft } from './import-draft.ts';
import { JobCard } from './job-card.tsx';
import { ReportStep } from './report-step.tsx';
import { StepBar } from './step-bar.tsx';
import { openSteps, type Step, stepToShow } from './steps.ts';

/** One import from its columns to its report. The step is in the address; the server keeps everything else. */
export function ImportPage(): React.JSX.Element {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const imported = useQuery(importQuery(id));
  const isMissing = imported.error instanceof ApiError && imported.error.status === 404;
  const name = imported.data?.fileName;
  return (
    <div className="flex w-full max-w-[72rem] flex-col gap-3">
      <PageHeading
        title={name === undefined ? 'Import' : `Import ${name}`}
        {...(imported.data === undefined ? {} : { subtitle: KINDS[imported.data.kind].label })}
      />
      <QueryView
        query={imported}
        loading={<ListSkeleton rows={5} inCard />}
        failed={(error, retry) =>
          isMissing ? (
            <EmptyNote>Import {id} was not found. Old files are deleted; imported data stays.</EmptyNote>
          ) : (
            <LoadFailed
              title="Failed to load the import"
              error={error}
              onRetry={retry}
              retrying={imported.isFetching}
            />
          )
        }
      >
        {(data) => <Wizard key={data.id} imported={data} />}
      </QueryView>
    </div>
  );
}

function Wizard({ imported }: { imported: Import }): React.JSX.Element {
  const { params } = useUrlParams();
  // Lives above the steps, so that going back and forth keeps what was chosen.
  const [draft, setDraft] = useState<ImportDraft>(() => newDraft(imported));
  useStateChange(imported, (changed) => {
    if (changed.state === 'checked') reportCheck(changed);
    else reportEnd(changed);
  });
  const step = stepToShow(imported, params.step);
  const change = (patch: Partial<ImportDraft>): void => setDraft((current) => ({ ...current, ...patch }));
  return (
    <>
      <StepBar current={step} open={openSteps(imported)} />
      <StepBody step={step} imported={imported} draft={draft} onChange={change} />
    </>
  );
}

type StepBodyProps = {
  step: Step;
  imported: Import;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

function StepBody({ step, imported, draft, onChange }: StepBodyProps): React.JSX.Element {
  switch (step) {
    case 'file':
      return <FileStep imported={imported} />;
    case 'columns':
      return <ColumnsStep imported={imported} draft={draft} onChange={onChange} />;
    case 'check':
      return <CheckStep imported={imported} draft={draft} onChange={onChange} />;
    case 'import':
      return (
        <JobCard
          title={`Importing ${KINDS[imported.kind].many}`}
          step="import"
          label="Importing"
          jobId={imported.jobId}
        />
      );
    case 'report':
      return <ReportStep imported={imported} onCheck={() => onChange({ jumps: 0 })} />;
  }
}
