import { type RunPreview, RunPreviewLine } from '#contract/run-preview.ts';

/** The lines of an answer of GET /api/engine/plan. */
export function planLinesIn(body: string): RunPreviewLine[] {
  return body
    .trimEnd()
    .split('\n')
    .map((line) => RunPreviewLine.parse(JSON.parse(line)));
}

/** The plan that such an answer ends with. */
export function planIn(body: string): RunPreview {
  const last = planLinesIn(body).at(-1);
  if (last?.kind !== 'plan') throw new Error('The answer has no plan.');
  return last.plan;
}
