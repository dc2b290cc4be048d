import type { PriceExplanation } from '#contract/explanation.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Section } from './section.tsx';

type Step = PriceExplanation['steps'][number];

const STEP_NAMES: Readonly<Record<Step['step'], string>> = {
  strategy_price: 'Strategy price',
  target: 'Nearest allowed price',
  edge: 'Fee band edge',
  move_range: 'Step and daily limits',
  wait: 'Timing',
  result: 'Decision',
};

/**
 * Each step of the decision, from the old price to the new one: what it moved, and a bar from the one to the other, all on one scale.
 * The last step is the one that decides.
 */
export function StepsCard({ explanation }: { explanation: PriceExplanation }): React.JSX.Element {
  const { steps, bindingLimitText } = explanation;
  const prices = steps.flatMap(({ from, to }) => [Number(from), Number(to)]);
  const scale = { low: Math.min(...prices), high: Math.max(...prices) };
  return (
    <Section
      title="Step by step"
      caption={<Move from={steps[0]?.from ?? null} to={steps.at(-1)?.to ?? null} />}
    >
      <ol aria-label="Step by step" className="flex flex-col">
        {steps.map((step, index) => (
          <StepRow
            key={step.step}
            step={step}
            number={index + 1}
            scale={scale}
            isLast={index === steps.length - 1}
          />
        ))}
      </ol>
      {bindingLimitText !== null && (
        <p className="-mx-4 mt-3 border-t px-4 pt-3">
          <strong className="font-semibold">Binding limit: </strong>
          {bindingLimitText}
        </p>
      )}
    </Section>
  );
}

function Move({ from, to }: { from: string | null; to: string | null }): React.JSX.Element | null {
  if (from === null || to === null) return null;
  return (
    <>
      {formatMoney(from)} to {formatMoney(to)}
    </>
  );
}

type StepRowProps = {
  step: Step;
  number: number;
  scale: { readonly low: number; readonly high: number };
  isLast: boolean;
};

function StepRow({ step: { step, from, to, text }, number, scale, isLast }: StepRowProps): React.JSX.Element {
  const moved = Math.round(100 * (Number(to) - Number(from)));
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0">
      {!isLast && <span aria-hidden className="absolute top-5.5 bottom-0.5 left-[9.5px] w-px bg-border" />}
      <span
        aria-hidden
        className={classNames(
          'mt-0.5 grid size-5 shrink-0 place-items-center rounded-full text-2xs font-semibold',
          isLast ? 'bg-badge-success text-badge-success-fg' : 'bg-fill text-fg-muted',
        )}
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{STEP_NAMES[step]}</p>
        <p className="text-sm text-fg-muted">{text}</p>
        <StepBar from={Number(from)} to={Number(to)} scale={scale} />
      </div>
      <p className="shrink-0 text-right tabular-nums">
        <strong className="font-semibold">{formatMoney(to)}</strong>
        <span className="block text-sm text-fg-muted">
          {moved === 0 ? 'unchanged' : `${moved > 0 ? '+' : ''}${formatMoney((moved / 100).toFixed(2))}`}
        </span>
      </p>
    </li>
  );
}

/** Where the price was and where the step left it; the amounts next to it say the same. */
function StepBar({
  from,
  to,
  scale,
}: { from: number; to: number } & Pick<StepRowProps, 'scale'>): React.JSX.Element {
  const width = scale.high - scale.low || 1;
  const percent = (value: number): number => (100 * (value - scale.low)) / width;
  const [left, right] = [Math.min(percent(from), percent(to)), Math.max(percent(from), percent(to))];
  return (
    <svg aria-hidden viewBox="0 0 100 6" preserveAspectRatio="none" className="mt-1.5 h-1.5 w-full">
      <rect x={0} y={2.5} width={100} height={1} className="fill-border" />
      <rect
        x={Math.min(left, 99)}
        y={0}
        width={Math.max(right - left, 1)}
        height={6}
        className={from === to ? 'fill-chart-own' : to < from ? 'fill-danger-text' : 'fill-success-text'}
      />
    </svg>
  );
}
