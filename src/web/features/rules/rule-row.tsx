import { Link } from '@tanstack/react-router';
import { ChevronDown, Pencil, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { ListedRule } from '#contract/rules.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Strategy } from '#domain/rules/rule.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { SoldLine } from '#web/ui/profit/sold-line.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { minimumMarginText } from './option-labels.ts';
import type { Precedence } from './rule-conflicts.ts';
import { RuleDetails } from './rule-details.tsx';
import { ChangesOfDay } from './rule-figures.tsx';
import { RuleStateBadge } from './rule-state-badge.tsx';
import { offsetText, storedPercentText } from './rule-text.ts';
import { isNarrowed, scopeText } from './scope-text.ts';
import { useStoreZone, zoneName } from './store-time.ts';

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

// The same columns in every row, so that what is compared is below each other.
const FACTS =
  'grid grid-cols-2 gap-x-4 gap-y-1.5 md:grid-cols-[11rem_8rem_minmax(0,1fr)] md:gap-x-3 lg:min-h-6 lg:items-center';
const FIGURES =
  'flex flex-wrap items-center gap-x-4 md:grid md:grid-cols-[11rem_11rem_minmax(0,1fr)] md:gap-x-3 wide:contents';
const SUMMARY =
  'flex min-w-0 flex-col gap-1.5 max-lg:pl-8 lg:gap-0.5 wide:grid wide:grid-cols-[minmax(0,1fr)_11rem_10.5rem] wide:items-center wide:gap-x-4';
/** Words on a phone; at a desk the icon alone, with its name in a tooltip. */
const ACTION = buttonClasses({ look: 'quiet', className: 'lg:w-8 lg:px-0 lg:[&>span]:sr-only' });

/**
 * One rule in a row of two lines: whom it is for, and its strategy with the number of its listings. What does not fit is
 * behind Details, which is open where other rules leave it no listing.
 */
export function RuleRow(props: RuleRowProps): React.JSX.Element {
  const { rule, precedence, isSelected, onSelect, onSwitch, onDelete } = props;
  const [isOpen, setOpen] = useState(precedence?.isCrowdedOut ?? false);
  const detailsId = useId();
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
      <div className={SUMMARY}>
        <div className="flex min-w-0 flex-col gap-1.5 lg:gap-0.5">
          <Title rule={rule} isOpen={isOpen} />
          <dl className={FACTS}>
            <Facts rule={rule} />
          </dl>
        </div>
        <div className={FIGURES}>
          <div className="flex flex-wrap items-center gap-x-4 md:contents wide:flex wide:flex-col wide:items-start wide:gap-y-0.5">
            <Link
              to="/listings"
              search={{ rule: rule.id }}
              className="inline-flex min-h-10 items-center font-medium whitespace-nowrap text-link tabular-nums underline-offset-4 hover:underline lg:min-h-6"
            >
              Applied To {formatCount(rule.appliedTo)} {rule.appliedTo === 1 ? 'product' : 'products'}
            </Link>
            <p className="flex items-center text-sm text-fg-muted tabular-nums lg:min-h-6">
              <ChangesOfDay rule={rule} />
            </p>
          </div>
          <SoldLine sold={rule.sold} of={{ rule: rule.id }} isShort />
        </div>
      </div>
      <div className="flex items-center max-lg:pl-8 lg:gap-0.5">
        <Switch
          label={`${rule.name} active`}
          hideLabel
          checked={rule.isActive}
          onChange={onSwitch}
          className="max-lg:absolute max-lg:top-0.5 max-lg:right-2"
        />
        <Tip text="Edit">
          <Link
            to="/rules/$id"
            params={{ id: rule.id }}
            aria-label={`Edit rule ${rule.name}`}
            className={classNames(ACTION, 'max-lg:-ml-3')}
          >
            <Pencil aria-hidden />
            <span>Edit</span>
          </Link>
        </Tip>
        <Tip text="Delete">
          <button type="button" aria-label={`Delete rule ${rule.name}`} onClick={onDelete} className={ACTION}>
            <Trash2 aria-hidden />
            <span>Delete</span>
          </button>
        </Tip>
        <Tip text="Details">
          <button
            type="button"
            aria-label={`Details of rule ${rule.name}`}
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={() => setOpen(!isOpen)}
            className={classNames(ACTION, 'max-lg:ml-auto max-lg:-mr-3 lg:-mr-2')}
          >
            <span>Details</span>
            <ChevronDown aria-hidden className={isOpen ? 'rotate-180' : undefined} />
          </button>
        </Tip>
      </div>
      <div
        id={detailsId}
        hidden={!isOpen}
        className="max-lg:pl-8 lg:col-span-2 lg:col-start-2 lg:pt-1 lg:pb-2"
      >
        <RuleDetails rule={rule} precedence={precedence} isOpen={isOpen} />
      </div>
    </div>
  );
}

/** Its name, state and listings; in one line at a desk, whole once its details are open. */
function Title({ rule, isOpen }: { rule: ListedRule; isOpen: boolean }): React.JSX.Element {
  const zone = useStoreZone();
  const cut = isOpen ? 'wrap-anywhere' : 'wrap-anywhere lg:truncate';
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-sm text-fg-muted max-lg:pr-12 lg:min-h-6',
        !isOpen && 'lg:flex-nowrap [&>*]:lg:shrink-0',
      )}
    >
      <h3 className={classNames('min-w-0 text-base font-medium text-fg lg:shrink!', cut)} title={rule.name}>
        {rule.name}
      </h3>
      <RuleStateBadge isActive={rule.isActive} />
      <span>{rule.fulfillmentType === 'All' ? 'All fulfillment types' : rule.fulfillmentType}</span>
      {isNarrowed(rule) ? (
        <Scope text={scopeText(rule, zoneName(zone))} className={cut} />
      ) : (
        <span className="inline-flex items-center gap-1.5">
          {rule.marketplace !== null && <MarketplaceMark marketplace={rule.marketplace} />}
          {rule.marketplace === null ? 'All Marketplaces' : MARKETPLACE_NAMES[rule.marketplace]}
        </span>
      )}
    </div>
  );
}

function Scope({ text, className }: { text: string; className: string }): React.JSX.Element {
  return (
    <span className={classNames('min-w-0 lg:shrink!', className)} title={text}>
      {text}
    </span>
  );
}

/** Strategy, minimum margin and, where it has one, offset or target margin. */
function Facts({ rule }: { rule: ListedRule }): React.JSX.Element {
  const { lines, targetMargin, competitorOffset, strategy } = rule;
  const way = lines === null ? strategy : countOf(lines.split('\n').length, 'line', 'lines');
  return (
    <>
      <Fact name="Strategy" value={way} />
      <Fact name="Min. Margin %" value={minimumMarginText(rule)} />
      {lines === null && competitorOffset !== null && (
        <OffsetFact strategy={strategy} offset={competitorOffset} />
      )}
      {lines !== null && targetMargin !== null && (
        <Fact name="Target margin" value={storedPercentText(targetMargin)} />
      )}
    </>
  );
}

/** With words: a bare "+$0.05" of a Beat rule would look like a price above the competitor. */
function OffsetFact({ strategy, offset }: { strategy: Strategy; offset: string }): React.JSX.Element {
  const { signed, meaning } = offsetText(strategy, offset);
  return (
    // On a phone its words need the whole line.
    <Fact name="Competitor Offset" value={signed} className="max-md:col-span-2">
      {/* The sign says it where there is no room for words. */}
      {meaning !== '' && <span className="font-normal text-fg-muted lg:sr-only"> {meaning}</span>}
    </Fact>
  );
}

type FactProps = { name: string; value: string; className?: string; children?: React.ReactNode };

function Fact({ name, value, className, children }: FactProps): React.JSX.Element {
  return (
    <div className={classNames('min-w-0 lg:flex lg:items-baseline lg:gap-1.5', className)}>
      <dt className="shrink-0 text-sm text-fg-muted">{name}</dt>
      <dd className="font-medium break-words tabular-nums lg:truncate">
        {value}
        {children}
      </dd>
    </div>
  );
}
