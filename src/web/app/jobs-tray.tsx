import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { Suspense, useState } from 'react';
import { engineQuery } from '#web/lib/engine.ts';
import { isUnderWay, jobsQuery } from '#web/lib/jobs.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { useJobToasts } from './use-job-toasts.ts';

const List = lazyPart(async () => (await import('./jobs-tray-list.tsx')).JobsTrayList);

/**
 * Background work: imports, exports, bulk edits. The server keeps the list, so a reload loses nothing.
 * @param props.isOnlyWhileBusy shows it only while a job is under way, as where there is little room
 */
export function JobsTray({ isOnlyWhileBusy }: { isOnlyWhileBusy: boolean }): React.JSX.Element | null {
  const jobs = useQuery(jobsQuery);
  const [isOpen, setOpen] = useState(false);
  const engine = useQuery(engineQuery);
  useJobToasts(jobs.data, engine.data?.notifications === false);
  const underWay = jobs.data?.filter(isUnderWay).length ?? 0;
  if (isOnlyWhileBusy && underWay === 0 && !isOpen) return null;
  const name = underWay === 0 ? 'Jobs' : `Jobs: ${underWay} under way`;
  return (
    <Popover
      label="Jobs"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        // The panel opens right below the button; a tooltip would cover it.
        <Button
          look="quiet"
          size={underWay === 0 ? 'icon' : 'default'}
          aria-label={name}
          onPointerEnter={List.preload}
          onFocus={List.preload}
        >
          <Tip text={name} enabled={!isOpen}>
            <span className="flex items-center gap-1.5">
              {underWay === 0 ? <ListChecks aria-hidden /> : <Spinner />}
              {underWay > 0 && <span className="tabular-nums">{underWay}</span>}
            </span>
          </Tip>
        </Button>
      }
    >
      <div className="flex items-center justify-between gap-2 border-b px-4 py-2">
        <h2 className="font-semibold">Jobs</h2>
        <Link to="/imports" className="rounded-sm text-link hover:underline" onClick={() => setOpen(false)}>
          All imports
        </Link>
      </div>
      {jobs.isError && (
        <div className="p-4">
          <LoadFailed
            title="Failed to load the jobs"
            error={jobs.error}
            onRetry={() => void jobs.refetch()}
            retrying={jobs.isFetching}
          />
        </div>
      )}
      {jobs.data !== undefined && (
        <Suspense fallback={<Loading />}>
          <List.Part jobs={jobs.data} onFollow={() => setOpen(false)} />
        </Suspense>
      )}
      {jobs.isPending && <Loading />}
    </Popover>
  );
}

function Loading(): React.JSX.Element {
  return <p className="px-4 py-6 text-center text-fg-muted">Loading the jobs...</p>;
}
