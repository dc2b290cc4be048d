import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';
import { STEP_NAMES, STEPS, type Step } from './steps.ts';

type StepBarProps = { current: Step; open: readonly Step[] };

/** Where one is in the import, and the way back to what can still be changed. */
export function StepBar({ current, open }: StepBarProps): React.JSX.Element {
  const at = STEPS.indexOf(current);
  return (
    <nav aria-label="Steps" className="-mx-1 md:-mx-2">
      <ol className="flex flex-wrap items-center gap-x-1 gap-y-1">
        {STEPS.map((step, index) => (
          <li key={step} className="flex items-center gap-1">
            {index > 0 && <span aria-hidden className="hidden h-px w-6 bg-border-control sm:block" />}
            <StepMark
              step={step}
              number={index + 1}
              isDone={index < at}
              isCurrent={step === current}
              isOpen={open.includes(step) && step !== current}
            />
          </li>
        ))}
      </ol>
    </nav>
  );
}

type StepMarkProps = { step: Step; number: number; isDone: boolean; isCurrent: boolean; isOpen: boolean };

function StepMark({ step, number, isDone, isCurrent, isOpen }: StepMarkProps): React.JSX.Element {
  const inside = (
    <>
      <span
        aria-hidden
        className={classNames(
          'grid size-5 shrink-0 place-items-center rounded-xl border text-xs font-semibold tabular-nums',
          isCurrent ? 'border-primary bg-primary text-primary-fg' : 'border-border-control',
        )}
      >
        {isDone ? <Check className="size-3" /> : number}
      </span>
      {/* The names of all five do not fit on a phone. */}
      <span className={isCurrent ? undefined : 'max-sm:sr-only'}>{STEP_NAMES[step]}</span>
    </>
  );
  const classes = 'flex min-h-11 items-center gap-1.5 rounded-md px-1 md:min-h-8 md:px-2';
  if (isOpen) {
    return (
      <Link
        to="."
        search={(current: Record<string, string>) => ({ ...current, step })}
        className={classNames(classes, 'text-link hover:underline')}
      >
        {inside}
      </Link>
    );
  }
  return (
    <span
      aria-current={isCurrent ? 'step' : undefined}
      className={classNames(classes, isCurrent ? 'font-semibold' : 'text-fg-muted')}
    >
      {inside}
    </span>
  );
}
