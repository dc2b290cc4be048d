import { CircleX, Clock, type LucideIcon, Search, Send, SendHorizontal } from 'lucide-react';
import type { UnderWay } from '#contract/under-way.ts';
import { formatMoney } from '#web/lib/format.ts';
import { UNDER_WAY_WORDS } from '#web/lib/under-way-words.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Tip } from '#web/ui/tooltip.tsx';

const LOOKS = {
  queued: { tone: 'info', icon: Clock },
  sent: { tone: 'info', icon: SendHorizontal },
  accepted: { tone: 'info', icon: Send },
  unknown: { tone: 'warning', icon: Search },
  rejected: { tone: 'danger', icon: CircleX },
  expired: { tone: 'warning', icon: CircleX },
} as const satisfies Record<
  UnderWay['state'],
  { tone: React.ComponentProps<typeof Badge>['tone']; icon: LucideIcon }
>;

/** "Queued $17.49": the price that buyers do not see yet and how far it is, or why it never got there. */
export function UnderWayBadge({ underWay }: { underWay: UnderWay }): React.JSX.Element {
  const { state, price, answer } = underWay;
  const { tone, icon } = LOOKS[state];
  const { name, meaning } = UNDER_WAY_WORDS[state];
  const words = answer === null ? meaning : `${meaning} ${answer}`;
  return (
    <Tip text={words}>
      <span className="inline-flex">
        <Badge tone={tone} icon={icon}>
          <span>
            {name} <span className="tabular-nums">{formatMoney(price)}</span>
          </span>
          <span className="sr-only">. {words}</span>
        </Badge>
      </span>
    </Tip>
  );
}

/** The same as a line of its own, with its words to be read. */
export function UnderWayNote({ underWay }: { underWay: UnderWay }): React.JSX.Element {
  const { state, price, answer } = underWay;
  const { name, meaning } = UNDER_WAY_WORDS[state];
  const { tone, icon } = LOOKS[state];
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
      <Badge tone={tone} icon={icon}>
        <span>
          {name} <span className="tabular-nums">{formatMoney(price)}</span>
        </span>
      </Badge>
      <span className="text-fg-muted">{answer ?? meaning}</span>
    </p>
  );
}
