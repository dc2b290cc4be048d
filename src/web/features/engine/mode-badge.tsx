import { Eye, Zap } from 'lucide-react';
import type { EngineStatus } from '#contract/engine.ts';
import { Badge } from '#web/ui/badge.tsx';

export type Mode = EngineStatus['marketplaces'][number]['mode'];

export const MODE_WORDS = { armed: 'Armed', observe: 'Observing' } as const satisfies Record<Mode, string>;

/** What the engine may do on a marketplace. */
export function ModeBadge({ mode }: { mode: Mode }): React.JSX.Element {
  return mode === 'armed' ? (
    <Badge tone="success" icon={Zap}>
      {MODE_WORDS.armed}
    </Badge>
  ) : (
    <Badge tone="neutral" icon={Eye}>
      {MODE_WORDS.observe}
    </Badge>
  );
}
