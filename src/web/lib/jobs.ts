import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type Job, Jobs } from '#contract/jobs.ts';
import { call, errorText } from './api.ts';
import { toast } from './use-toast.ts';

export const JOBS_KEY = ['jobs'] as const;

/** The newest jobs; live events keep them current. */
export const jobsQuery = queryOptions({
  queryKey: JOBS_KEY,
  queryFn: () => call(Jobs, 'GET', '/api/jobs'),
});

/** Jobs that failed in the last seven days. */
export const failedJobsQuery = queryOptions({
  queryKey: [...JOBS_KEY, 'failed'],
  queryFn: () => call(Jobs, 'GET', '/api/jobs?state=failed'),
});

/** Whether a job is running or queued. */
export function isUnderWay(job: Job): boolean {
  return job.state === 'queued' || job.state === 'running';
}

/** Stops a job after its current batch. Finished batches are kept. */
export function useCancelJob(): UseMutationResult<unknown, Error, Job> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (job) => call(z.unknown(), 'POST', `/api/jobs/${job.id}/cancel`),
    onSuccess: () => client.invalidateQueries({ queryKey: JOBS_KEY }),
    onError: (error, job) => toast(`Could not cancel: ${job.title}`, errorText(error), 'destructive'),
  });
}
