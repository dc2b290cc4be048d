import { Circle, Pause } from 'lucide-react';
import { Badge } from '#web/ui/badge.tsx';

/** Whether a rule reprices. */
export function RuleStateBadge({ isActive }: { isActive: boolean }): React.JSX.Element {
  return isActive ? (
    <Badge tone="success" icon={Circle}>
      Active
    </Badge>
  ) : (
    <Badge tone="neutral" icon={Pause}>
      Paused
    </Badge>
  );
}
