import { Link } from '@tanstack/react-router';
import { MoonStar, Percent, Star, TrendingDown } from 'lucide-react';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClasses } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { STARTS, type Start } from './rule-draft.ts';

const ICONS = { recommended: MoonStar, beat: TrendingDown, fixed: Percent } as const;

/** Without any rule: what rules do, and three ways to start. */
export function FirstRule(): React.JSX.Element {
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h2 className="text-md font-semibold">Your first rule</h2>
        <p className="mt-1 max-w-[70ch] text-fg-muted">
          A rule sets prices from competitor prices or from your margin, and never goes below its minimum
          margin. Without a rule, prices do not change. You can preview a rule before saving it.
        </p>
      </div>
      <div className="grid gap-4 md:grid-cols-3">
        {(Object.keys(STARTS) as Start[]).map((start) => (
          <StartCard key={start} start={start} />
        ))}
      </div>
    </div>
  );
}

function StartCard({ start }: { start: Start }): React.JSX.Element {
  const Icon = ICONS[start];
  const { title, text } = STARTS[start];
  return (
    <Card className="flex flex-col items-start gap-3 p-6">
      <span className="grid size-10 place-items-center rounded-lg border text-link">
        <Icon aria-hidden className="size-5" />
      </span>
      <div>
        <h3 className="flex flex-wrap items-center gap-2 font-semibold">
          {title}
          {start === 'recommended' && (
            <Badge tone="info" icon={Star}>
              Recommended
            </Badge>
          )}
        </h3>
        <p className="mt-1 text-fg-muted">{text}</p>
      </div>
      <Link
        to="/rules/new"
        search={{ start }}
        aria-label={`Start with this: ${title}`}
        className={buttonClasses({ look: 'outline', className: 'mt-auto' })}
      >
        Start with this
      </Link>
    </Card>
  );
}
