import { ArrowRight } from 'lucide-react';
import type { PriceExplanation } from '#contract/explanation.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Section } from './section.tsx';

const STEP_NAMES: Readonly<Record<string, string>> = {
  wanted: 'Strategy price',
  target: 'Nearest allowed price',
  edge: 'Fee band edge',
  reach: 'Step and daily limits',
  rest: 'Timing',
  result: 'Decision',
};

/** Each step of the decision, from the old to the new price. */
export function StepsCard({ steps, bindingLimitText }: PriceExplanation): React.JSX.Element | null {
  if (steps.length === 0) return null;
  return (
    <Section title="Step by step">
      <ol aria-label="Step by step" className="flex flex-col">
        {steps.map(({ step, from, to, text }, index) => (
          <li
            key={step}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b py-3 last:border-b-0"
          >
            <span className="w-64 shrink-0 font-medium">
              {index + 1}. {STEP_NAMES[step] ?? step}
            </span>
            <span className="flex min-w-40 items-center gap-2 tabular-nums">
              {from === to ? (
                formatMoney(to)
              ) : (
                <>
                  <span className="text-fg-muted">{formatMoney(from)}</span>
                  <ArrowRight aria-label="to" className="size-4 text-fg-muted" />
                  <strong className="font-semibold">{formatMoney(to)}</strong>
                </>
              )}
            </span>
            <span className="text-fg-muted">{text}</span>
          </li>
        ))}
      </ol>
      {bindingLimitText !== null && (
        <p className="mt-3 border-t pt-3">
          <strong className="font-semibold">Binding limit: </strong>
          {bindingLimitText}
        </p>
      )}
    </Section>
  );
}
