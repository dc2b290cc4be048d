import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';

const TONES = {
  danger: { icon: CircleAlert, box: 'border-danger-text', mark: 'text-danger-text' },
  success: { icon: CircleCheck, box: 'border-success-text', mark: 'text-success-text' },
  info: { icon: Info, box: 'border-border-control', mark: 'text-info-text' },
} as const;

type CalloutProps = {
  tone: keyof typeof TONES;
  title: string;
  /** `alert` interrupts, `status` waits; omit it for a message that is there from the start. */
  role?: 'alert' | 'status';
  className?: string;
  children?: React.ReactNode;
};

/** A message that stays on the page, marked by icon and words as well as by color. */
export function Callout({ tone, title, role, className, children }: CalloutProps): React.JSX.Element {
  const { icon: Icon, box, mark } = TONES[tone];
  return (
    <div role={role} className={classNames('flex gap-3 rounded-lg border bg-surface p-4', box, className)}>
      <Icon aria-hidden className={classNames('mt-px size-5 shrink-0', mark)} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {children}
      </div>
    </div>
  );
}
