import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Job } from '#contract/jobs.ts';
import { countOf } from '#web/lib/format.ts';
import { failedJobsQuery, jobsQuery } from '#web/lib/jobs.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { JobBadge } from '#web/ui/job-badge.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';

const TABS = {
  all: { label: 'Newest', empty: 'No jobs yet. Imports, exports and bulk changes appear here.' },
  failed: { label: 'Failed', empty: 'No job failed in the last 7 days.' },
} as const;
const TAB_NAMES = ['all', 'failed'] as const;

/** Background jobs: the newest, or those that failed in the last seven days. */
export function JobsPage(): React.JSX.Element {
  const { params, set } = useUrlParams();
  const tab = oneOf(TAB_NAMES, params.state, 'all');
  const newest = useQuery({ ...jobsQuery, enabled: tab === 'all' });
  const failedOnes = useQuery({ ...failedJobsQuery, enabled: tab === 'failed' });
  const jobs = tab === 'failed' ? failedOnes : newest;
  return (
    <div className="flex flex-col">
      <PageHeading title="Jobs" subtitle="Imports, exports and bulk changes" />
      <TabGroup
        value={tab}
        onValueChange={(next) => set({ state: next === 'all' ? undefined : next })}
        className="flex flex-col gap-3"
      >
        <TabBar aria-label="Which jobs">
          {TAB_NAMES.map((name) => (
            <Tab key={name} value={name}>
              {TABS[name].label}
            </Tab>
          ))}
        </TabBar>
        <TabPanel value={tab}>
          <QueryView
            query={jobs}
            loading={<ListSkeleton />}
            failed={(error, retry) => (
              <LoadFailed
                title="Failed to load the jobs"
                error={error}
                onRetry={retry}
                retrying={jobs.isFetching}
              />
            )}
          >
            {(rows) => (rows.length === 0 ? <EmptyNote>{TABS[tab].empty}</EmptyNote> : <Jobs jobs={rows} />)}
          </QueryView>
        </TabPanel>
      </TabGroup>
    </div>
  );
}

function Jobs({ jobs }: { jobs: readonly Job[] }): React.JSX.Element {
  return (
    <>
      <p className="text-sm text-fg-muted">{countOf(jobs.length, 'job', 'jobs')}</p>
      <PlainTable caption="Jobs, newest first">
        <thead>
          <tr>
            <HeadCell>Job</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell>Result</HeadCell>
            <HeadCell>Started by</HeadCell>
            <HeadCell>When</HeadCell>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <Cell className="min-w-48 font-medium">
                {job.link === null ? (
                  job.title
                ) : (
                  <Link to={job.link} className="text-link underline-offset-2 hover:underline">
                    {job.title}
                  </Link>
                )}
              </Cell>
              <Cell>
                <JobBadge state={job.state} />
              </Cell>
              <Cell className="min-w-64 text-fg-muted">{job.summary}</Cell>
              <Cell>{job.createdBy}</Cell>
              <Cell className="whitespace-nowrap">
                <MomentText iso={job.endedAt ?? job.createdAt} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </>
  );
}
