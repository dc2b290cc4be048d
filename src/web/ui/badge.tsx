import type { LucideIcon } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';

const TONES = {
  neutral: 'bg-badge-neutral text-badge-neutral-fg',
  success: 'bg-badge-success text-badge-success-fg',
  warning: 'bg-badge-warning text-badge-warning-fg',
  danger: 'bg-badge-danger text-badge-danger-fg',
  info: 'bg-badge-info text-badge-info-fg',
} as const;

type BadgeProps = { tone: keyof typeof TONES; icon: LucideIcon; children: React.ReactNode };

/** A state in one or two words, with an icon; never a control. */
export function Badge({ tone, icon: Icon, children }: BadgeProps): React.JSX.Element {
  return (
    <span
      className={classNames(
        'inline-flex min-h-4.5 items-center gap-1 rounded-sm px-1.5 text-xs font-medium',
        TONES[tone],
      )}
    >
      <Icon aria-hidden className="size-3" />
      {children}
    </span>
  );
}
