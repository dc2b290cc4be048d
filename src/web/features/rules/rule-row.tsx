import { Link } from '@tanstack/react-router';
import { ChevronDown, Pencil, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { ListedRule } from '#contract/rules.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Strategy } from '#domain/rules/rule.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { SoldLine } from '#web/ui/profit/sold-line.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { ConflictNote } from './conflict-note.tsx';
import { EarningsNote } from './earnings-note.tsx';
import { minimumMarginText, optionText } from './option-labels.ts';
import type { Precedence } from './rule-conflicts.ts';
import { RuleFigures } from './rule-figures.tsx';
import { RuleStateBadge } from './rule-state-badge.tsx';
import { offsetText, storedPercentText } from './rule-text.ts';
import { isNarrowed, scopeText } from './scope-text.ts';
import { haveTimes, useStoreZone, zoneName } from './store-time.ts';
import { TimeZoneNote } from './time-zone-note.tsx';

type RuleRowProps = {
  rule: ListedRule;
  /** Null for a paused rule, which competes with no other. */
  precedence: Precedence | null;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onSwitch: (isActive: boolean) => void;
  onDelete: () => void;
};

/** No fieldset, which would be announced as part of a form. */
const groupOf = (name: string) => ({ role: 'group', 'aria-label': name }) as const;

// The same columns in every row, so that strategies and margins are below each other.
const COLUMNS =
  'grid grid-cols-2 gap-x-4 gap-y-1.5 md:max-wide:flex md:max-wide:flex-wrap md:max-wide:gap-x-6 md:items-center md:gap-y-0.5 wide:grid-cols-[11rem_8rem_12rem_10rem_minmax(0,1fr)]';

/** One rule in a row of two lines: what it is for, and its strategy with the number of its listings. */
export function RuleRow(props: RuleRowProps): React.JSX.Element {
  const { rule, precedence, isSelected, onSelect, onSwitch, onDelete } = props;
  const [showsConflicts, setShowsConflicts] = useState(precedence?.isCrowdedOut ?? false);
  const [showsEarnings, setShowsEarnings] = useState(false);
  const noteId = useId();
  const hasConflicts = precedence !== null && precedence.competing.length > 0;
  return (
    <div
      {...groupOf(rule.name)}
      className={classNames(
        'relative px-4 py-2.5 lg:grid lg:min-h-16 lg:grid-cols-[1.75rem_minmax(0,1fr)_auto] lg:items-center lg:gap-x-2 lg:py-1.5',
        isSelected ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      <Checkbox
        label={`Select rule ${rule.name}`}
        hideLabel
        checked={isSelected}
        onChange={onSelect}
        className="-ml-3 max-lg:absolute max-lg:top-0.5 md:-ml-2"
      />
      <div className="flex min-w-0 flex-col gap-1.5 max-lg:pl-8 lg:gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-sm text-fg-muted max-lg:pr-12">
          <h3 className="min-w-0 text-base font-medium text-fg wrap-anywhere">{rule.name}</h3>
          <RuleStateBadge isActive={rule.isActive} />
          <span>{rule.fulfillmentType === 'All' ? 'All fulfillment types' : rule.fulfillmentType}</span>
          <span className="inline-flex items-center gap-1.5">
            {rule.marketplace !== null && <MarketplaceMark marketplace={rule.marketplace} />}
            {rule.marketplace === null ? 'All Marketplaces' : MARKETPLACE_NAMES[rule.marketplace]}
          </span>
          <span className="flex flex-wrap gap-x-4 wide:ml-auto">
            {rule.sold !== undefined && (
              <Toggle
                shows={showsEarnings}
                onToggle={() => setShowsEarnings(!showsEarnings)}
                controls={`${noteId}-earned`}
              >
                Earned against before
              </Toggle>
            )}
            {hasConflicts && (
              <Toggle
                shows={showsConflicts}
                onToggle={() => setShowsConflicts(!showsConflicts)}
                controls={noteId}
              >
                {countOf(precedence.competing.length, 'other rule matches', 'other rules match')} the same
                listings
              </Toggle>
            )}
          </span>
        </div>
        <div className={COLUMNS}>
          <Facts rule={rule} />
          <div className="flex flex-wrap items-center gap-x-4 max-md:col-span-2 md:contents">
            <Link
              to="/listings"
              search={{ rule: rule.id }}
              className="inline-flex min-h-10 items-center font-medium whitespace-nowrap text-link underline-offset-4 hover:underline lg:min-h-6"
            >
              Applied To {formatCount(rule.appliedTo)} {rule.appliedTo === 1 ? 'product' : 'products'}
            </Link>
            <SoldLine sold={rule.sold} of={{ rule: rule.id }} isShort />
          </div>
        </div>
        <More rule={rule} />
        <RuleFigures rule={rule} />
        {hasConflicts && (
          <div id={noteId} hidden={!showsConflicts}>
            <ConflictNote precedence={precedence} />
          </div>
        )}
        {rule.sold !== undefined && (
          <div id={`${noteId}-earned`} hidden={!showsEarnings}>
            {showsEarnings && <EarningsNote id={rule.id} />}
          </div>
        )}
      </div>
      <div className="flex items-center max-lg:pl-8 lg:gap-0.5">
        <Switch
          label={`${rule.name} active`}
          hideLabel
          checked={rule.isActive}
          onChange={onSwitch}
          className="max-lg:absolute max-lg:top-0.5 max-lg:right-2"
        />
        <Link
          to="/rules/$id"
          params={{ id: rule.id }}
          aria-label={`Edit rule ${rule.name}`}
          className={buttonClasses({ look: 'quiet', className: 'max-lg:-ml-3' })}
        >
          <Pencil aria-hidden />
          Edit
        </Link>
        <Button look="quiet" aria-label={`Delete rule ${rule.name}`} onClick={onDelete} className="lg:-mr-3">
          <Trash2 aria-hidden />
          Delete
        </Button>
      </div>
    </div>
  );
}

type ToggleProps = { shows: boolean; onToggle: () => void; controls: string; children: React.ReactNode };

/** Shows or hides a note below the row. */
function Toggle({ shows, onToggle, controls, children }: ToggleProps): React.JSX.Element {
  return (
    <button
      type="button"
      aria-expanded={shows}
      aria-controls={controls}
      onClick={onToggle}
      className="inline-flex min-h-10 items-center gap-1 rounded-sm hover:text-fg lg:min-h-6"
    >
      {children}
      <ChevronDown aria-hidden className={classNames('size-3.5 shrink-0', shows && 'rotate-180')} />
    </button>
  );
}

/** Three columns; the third is empty without an offset. */
function Facts({ rule }: { rule: ListedRule }): React.JSX.Element {
  const { lines, targetMargin, competitorOffset, strategy } = rule;
  return (
    <dl className="contents">
      <Fact name="Strategy" value={lines === null ? strategy : 'Lines'} />
      <Fact name="Min. Margin %" value={minimumMarginText(rule)} />
      {lines === null && competitorOffset !== null ? (
        <OffsetFact strategy={strategy} offset={competitorOffset} />
      ) : lines !== null && targetMargin !== null ? (
        <Fact name="Target margin" value={storedPercentText(targetMargin)} />
      ) : (
        <div className="max-wide:hidden" />
      )}
    </dl>
  );
}

const MORE = 'text-sm text-fg-muted';

/** What does not fit into the columns, where there is any: who it is for, its lines, and its options. */
function More({ rule }: { rule: ListedRule }): React.JSX.Element {
  const options = optionText(rule);
  const zone = useStoreZone();
  return (
    <>
      {isNarrowed(rule) && <p className={MORE}>{scopeText(rule, zoneName(zone))}</p>}
      {rule.lines !== null && (
        <ol className={`${MORE} flex list-decimal flex-col gap-0.5 pl-5`}>
          {/* Lines have no identity besides their place. */}
          {Array.from(rule.lines.split('\n').entries(), ([index, line]) => (
            <li key={index} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ol>
      )}
      {haveTimes(rule.lines) && <TimeZoneNote />}
      {options.length > 0 && <p className={MORE}>{options.join(' · ')}</p>}
    </>
  );
}

/** With words: a bare "+$0.05" of a Beat rule would look like a price above the competitor. */
function OffsetFact({ strategy, offset }: { strategy: Strategy; offset: string }): React.JSX.Element {
  const { signed, meaning } = offsetText(strategy, offset);
  return (
    <Fact name="Competitor Offset" value={signed}>
      {/* The sign says it where there is no room for words. */}
      {meaning !== '' && <span className="font-normal text-fg-muted max-2xl:lg:sr-only"> {meaning}</span>}
    </Fact>
  );
}

type FactProps = { name: string; value: string; children?: React.ReactNode };

function Fact({ name, value, children }: FactProps): React.JSX.Element {
  return (
    <div className="min-w-0 lg:flex lg:items-baseline lg:gap-1.5">
      <dt className="shrink-0 text-sm text-fg-muted">{name}</dt>
      <dd className="font-medium break-words tabular-nums lg:truncate">
        {value}
        {children}
      </dd>
    </div>
  );
}
