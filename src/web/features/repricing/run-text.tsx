import { CircleAlert, CircleCheck, CircleStop, Clock, type LucideIcon, Play } from 'lucide-react';
import type { Run } from '#contract/engine.ts';
import { Badge } from '#web/ui/badge.tsx';

type BadgeStyle = {
  text: string;
  tone: 'neutral' | 'success' | 'warning' | 'danger' | 'info';
  icon: LucideIcon;
};

const STYLES = {
  queued: { text: 'Queued', tone: 'neutral', icon: Clock },
  running: { text: 'Running', tone: 'info', icon: Play },
  done: { text: 'Done', tone: 'success', icon: CircleCheck },
  stopped: { text: 'Stopped', tone: 'warning', icon: CircleStop },
  failed: { text: 'Failed', tone: 'danger', icon: CircleAlert },
} as const satisfies Record<Run['state'], BadgeStyle>;

/** Labels of the states. */
export function RunStateBadge({ state }: { state: Run['state'] }): React.JSX.Element {
  const { text, tone, icon } = STYLES[state];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}

/** Who started it: a user, or "automatically". */
export function starterOf(run: Run): string {
  return run.startedBy ?? 'Pricewright';
}
