import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';

const TONES = {
  danger: { icon: CircleAlert, box: 'bg-badge-danger', mark: 'text-badge-danger-fg' },
  success: { icon: CircleCheck, box: 'bg-badge-success', mark: 'text-badge-success-fg' },
  info: { icon: Info, box: 'bg-badge-info', mark: 'text-badge-info-fg' },
} as const;

type CalloutProps = {
  tone: keyof typeof TONES;
  title: string;
  /** `alert` interrupts, `status` waits; omit it for a message that is there from the start. */
  role?: 'alert' | 'status';
  /** A button at the right; below the text on a phone. */
  action?: React.ReactNode;
  className?: string;
  children?: React.ReactNode;
};

/** A message that stays on the page, a tint without an edge, marked by icon and words as well as by color. */
export function Callout(props: CalloutProps): React.JSX.Element {
  const { tone, title, role, action, className, children } = props;
  const { icon: Icon, box, mark } = TONES[tone];
  return (
    <div role={role} className={classNames('flex gap-2.5 rounded-md px-4 py-3', box, className)}>
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', mark)} />
      <div
        className={classNames('min-w-0 flex-1', action !== undefined && 'md:flex md:items-center md:gap-4')}
      >
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{title}</p>
          {children}
        </div>
        {action !== undefined && <div className="shrink-0 max-md:mt-2">{action}</div>}
      </div>
    </div>
  );
}
