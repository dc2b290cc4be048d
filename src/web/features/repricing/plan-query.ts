import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type RunPreview, RunPreviewLine } from '#contract/run-preview.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { callLines, NoAnswerError } from '#web/lib/api.ts';

/** Progress of a preview. */
export type PlanProgress = Extract<RunPreviewLine, { kind: 'progress' }>;

/**
 * The preview of going live on these now. Calculated each time it is opened: it is valid only while no data changes.
 * Its key is outside the engine's, so that a running run does not discard a preview that is being read.
 */
export function usePlan(marketplaces: readonly Marketplace[]): {
  plan: UseQueryResult<RunPreview>;
  /** Null until the first message, and for a preview of one page. */
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
