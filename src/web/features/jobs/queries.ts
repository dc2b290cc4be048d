import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { JobRefusals, JobReport } from '#contract/jobs.ts';
import { call } from '#web/lib/api.ts';
import { JOBS_KEY } from '#web/lib/jobs.ts';
import { queryText } from '#web/lib/list-state.ts';

/** One job; live events keep everything under this key current. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: [...JOBS_KEY, id] as const,
    queryFn: () => call(JobReport, 'GET', `/api/jobs/${id}`),
  });

/** A page of the listings that a job skipped. */
export const refusalsQuery = (id: string, page: number, size: number) =>
  queryOptions({
    queryKey: [...JOBS_KEY, id, 'refusals', page, size] as const,
    queryFn: () =>
      call(
        JobRefusals,
        'GET',
        `/api/jobs/${id}/refusals${queryText({ page: String(page), size: String(size) })}`,
      ),
    placeholderData: keepPreviousData,
  });
