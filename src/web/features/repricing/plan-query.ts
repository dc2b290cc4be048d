import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type RunPreview, RunPreviewLine } from '#contract/run-preview.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { callLines, NoAnswerError } from '#web/lib/api.ts';

/** How far a plan is made. */
export type PlanProgress = Extract<RunPreviewLine, { kind: 'progress' }>;

/**
 * What arming these would do now. Made anew each time it is looked at: a plan is only good while nothing moves. Its
 * key stands apart from the engine's, so that no batch of a run makes a plan that somebody reads go away.
 */
export function usePlan(marketplaces: readonly Marketplace[]): {
  plan: UseQueryResult<RunPreview>;
  /** Null until the first word, and for a plan of one page. */
  progress: PlanProgress | null;
} {
  const [progress, setProgress] = useState<PlanProgress | null>(null);
  const plan = useQuery({
    queryKey: ['engine plan', ...marketplaces] as const,
    queryFn: async ({ signal }) => {
      setProgress(null);
      const path = `/api/engine/plan?marketplaces=${marketplaces.join(',')}`;
      const made: RunPreview[] = [];
      const onLine = (line: RunPreviewLine): void => {
        if (line.kind === 'plan') made.push(line.plan);
        else setProgress(line);
      };
      await callLines(RunPreviewLine, path, onLine, signal);
      const [whole] = made;
      if (whole === undefined) throw new NoAnswerError(`GET ${path}: the answer has no plan`);
      return whole;
    },
    staleTime: 0,
    gcTime: 0,
  });
  return { plan, progress };
}
