import { type ArmPlan, PlanLine } from '#contract/run-preview.ts';

/** The lines of an answer of GET /api/engine/plan. */
export function planLinesIn(body: string): PlanLine[] {
  return body
    .trimEnd()
    .split('\n')
    .map((line) => PlanLine.parse(JSON.parse(line)));
}

/** The plan that such an answer ends with. */
export function planIn(body: string): ArmPlan {
  const last = planLinesIn(body).at(-1);
  if (last?.kind !== 'plan') throw new Error('The answer has no plan.');
  return last.plan;
}
