import { Link } from '@tanstack/react-router';
import { ChevronDown, Circle, Pause, Pencil, Trash2 } from 'lucide-react';
import type { ListedRule } from '#contract/rules.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Strategy } from '#domain/rule.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatCount } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { SoldLine } from '#web/ui/profit/sold-line.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { ConflictNote } from './conflict-note.tsx';
import { EarningsNote } from './earnings-note.tsx';
import { minimumMarginText, optionText } from './option-labels.ts';
import type { Precedence } from './rule-conflicts.ts';
import { offsetText, storedPercentText } from './rule-text.ts';
import { scopeText } from './scope-text.ts';

type RuleCardProps = {
  rule: ListedRule;
  /** Null for a paused rule, which competes with no other. */
  precedence: Precedence | null;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onSwitch: (isActive: boolean) => void;
  onDelete: () => void;
};

/** One rule: its strategy, the number of its listings, and competing rules. */
export function RuleCard(props: RuleCardProps): React.JSX.Element {
  const { rule, precedence, isSelected, onSelect, onSwitch, onDelete } = props;
  const options = optionText(rule);
  return (
    <Card
      role="group"
      aria-label={rule.name}
      className={classNames('flex flex-col gap-3', isSelected && 'border-primary bg-selected')}
    >
      <div className="flex items-start gap-1">
        <Checkbox
          label={`Select rule ${rule.name}`}
          hideLabel
          checked={isSelected}
          onChange={onSelect}
          className="-mt-2.5 -ml-3 shrink-0 md:-mt-1 md:-ml-2"
        />
        <div className="min-w-0 flex-1">
          <h3 className="text-lg font-semibold break-words">{rule.name}</h3>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-fg-muted">
            <StateBadge isActive={rule.isActive} />
            <span>{rule.fulfillmentType === 'All' ? 'All fulfillment types' : rule.fulfillmentType}</span>
            <span className="inline-flex items-center gap-1.5">
              {rule.marketplace !== null && <MarketplaceMark marketplace={rule.marketplace} />}
              {rule.marketplace === null ? 'All marketplaces' : MARKETPLACE_NAMES[rule.marketplace]}
            </span>
          </p>
        </div>
        <Switch
          label={`${rule.name} active`}
          hideLabel
          checked={rule.isActive}
          onChange={onSwitch}
          className="-mt-2.5 -mr-2 shrink-0 md:-mt-1"
        />
      </div>
      <p className="text-sm text-fg-muted">{scopeText(rule)}</p>
      <Facts rule={rule} />
      {options.length > 0 && <p className="text-sm text-fg-muted">{options.join(' · ')}</p>}
      <SoldLine sold={rule.sold} of={{ rule: rule.id }} />
      {rule.sold !== undefined && <EarningsNote id={rule.id} />}
      {precedence !== null && precedence.competing.length > 0 && <Conflicts precedence={precedence} />}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2 border-t pt-3">
        <Link
          to="/listings"
          search={{ rule: rule.id }}
          className="inline-flex min-h-11 items-center font-medium text-link underline-offset-4 hover:underline md:min-h-8"
        >
          Applied To {formatCount(rule.appliedTo)} {rule.appliedTo === 1 ? 'product' : 'products'}
        </Link>
        <div className="flex gap-2">
          <Link
            to="/rules/$id"
            params={{ id: rule.id }}
            aria-label={`Edit rule ${rule.name}`}
            className={buttonClasses({ look: 'outline' })}
          >
            <Pencil aria-hidden />
            Edit
          </Link>
          <Button look="quiet" aria-label={`Delete rule ${rule.name}`} onClick={onDelete}>
            <Trash2 aria-hidden />
            Delete
          </Button>
        </div>
      </div>
    </Card>
  );
}

function StateBadge({ isActive }: { isActive: boolean }): React.JSX.Element {
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

function Facts({ rule }: { rule: ListedRule }): React.JSX.Element {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2">
      {rule.lines === null ? (
        <Fact name="Strategy" value={rule.strategy} />
      ) : (
        <LinesFact lines={rule.lines} targetMargin={rule.targetMargin} />
      )}
      <Fact name="Min. Margin %" value={minimumMarginText(rule)} />
      {rule.competitorOffset !== null && rule.lines === null && (
        <OffsetFact strategy={rule.strategy} offset={rule.competitorOffset} />
      )}
    </dl>
  );
}

/** The lines as numbered text, with the margin that `target margin` asks for. */
function LinesFact({ lines, targetMargin }: Pick<ListedRule, 'lines' | 'targetMargin'>): React.JSX.Element {
  return (
    <>
      <div className="w-full min-w-0">
        <dt className="text-xs text-fg-muted">Lines</dt>
        <dd>
          <ol className="flex list-decimal flex-col gap-0.5 pl-5">
            {/* Lines have no identity besides their place. */}
            {Array.from((lines ?? '').split('\n').entries(), ([index, line]) => (
              <li key={index} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ol>
        </dd>
      </div>
      {targetMargin !== null && <Fact name="Target margin" value={storedPercentText(targetMargin)} />}
    </>
  );
}

/** With words: a bare "+$0.05" of a Beat rule would look like a price above the competitor. */
function OffsetFact({ strategy, offset }: { strategy: Strategy; offset: string }): React.JSX.Element {
  const { signed, meaning } = offsetText(strategy, offset);
  return (
    <Fact name="Competitor Offset" value={signed}>
      {meaning !== '' && <span className="font-normal text-fg-muted"> {meaning}</span>}
    </Fact>
  );
}

type FactProps = { name: string; value: string; children?: React.ReactNode };

function Fact({ name, value, children }: FactProps): React.JSX.Element {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-fg-muted">{name}</dt>
      <dd className="font-medium break-words tabular-nums">
        {value}
        {children}
      </dd>
    </div>
  );
}

function Conflicts({ precedence }: { precedence: Precedence }): React.JSX.Element {
  const { competing, isCrowdedOut } = precedence;
  const others = competing.length === 1 ? '1 other rule matches' : `${competing.length} other rules match`;
  return (
    <details open={isCrowdedOut} className="group rounded-md border bg-canvas px-3 py-1">
      <summary className="flex min-h-9 cursor-pointer items-center justify-between gap-2 text-sm font-medium md:min-h-6 [&::-webkit-details-marker]:hidden">
        {others} the same listings
        <ChevronDown aria-hidden className="size-4 shrink-0 text-fg-muted group-open:rotate-180" />
      </summary>
      <div className="pb-1">
        <ConflictNote precedence={precedence} />
      </div>
    </details>
  );
}
