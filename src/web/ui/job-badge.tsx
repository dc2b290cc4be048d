import { Ban, CircleAlert, CircleCheck, Clock, type LucideIcon, Play, TriangleAlert } from 'lucide-react';
import type { JobState } from '#contract/jobs.ts';
import { Badge } from './badge.tsx';

type BadgeStyle = {
  text: string;
  tone: 'neutral' | 'success' | 'warning' | 'danger' | 'info';
  icon: LucideIcon;
};

const STYLES = {
  queued: { text: 'Queued', tone: 'neutral', icon: Clock },
  running: { text: 'Running', tone: 'info', icon: Play },
  done: { text: 'Done', tone: 'success', icon: CircleCheck },
  partly_done: { text: 'Partly done', tone: 'warning', icon: TriangleAlert },
  failed: { text: 'Failed', tone: 'danger', icon: CircleAlert },
  cancelled: { text: 'Canceled', tone: 'neutral', icon: Ban },
} as const satisfies Record<JobState, BadgeStyle>;

/** The state of a job. */
export function JobBadge({ state }: { state: JobState }): React.JSX.Element {
  const { text, tone, icon } = STYLES[state];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}
