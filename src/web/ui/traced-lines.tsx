import { Check, CircleHelp, Clock, CornerDownRight, EyeOff, type LucideIcon, Minus } from 'lucide-react';
import type { TracedLine } from '#contract/traced-line.ts';
import { classNames } from '#web/lib/class-names.ts';
import { lineStatusText } from './line-status-text.ts';

const ICONS: Readonly<Record<TracedLine['status'], LucideIcon>> = {
  decided: Check,
  not_read: EyeOff,
  condition: Minus,
  unknown: CircleHelp,
  resting: Clock,
  too_low: CornerDownRight,
  not_asked: Minus,
};

type TracedLinesProps = { lines: readonly TracedLine[] };

/** The lines of a rule and what became of each for one listing. */
export function TracedLines({ lines }: TracedLinesProps): React.JSX.Element {
  return (
    <ol className="flex flex-col divide-y rounded-md border">
      {lines.map((line) => {
        const Icon = ICONS[line.status];
        return (
          <li
            key={line.line}
            className={classNames(
              'flex gap-2 px-3 py-2 text-sm',
              line.status === 'decided' && 'bg-selected',
              line.status === 'not_asked' && 'text-fg-muted',
            )}
          >
            <Icon
              aria-hidden
              className={classNames(
                'mt-0.5 size-4 shrink-0',
                line.status === 'decided' ? 'text-link' : 'text-fg-muted',
              )}
            />
            <span className="min-w-0">
              <span className="wrap-anywhere">
                {line.line}. {line.text}
              </span>
              <span className="block text-fg-muted">{lineStatusText(line)}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
