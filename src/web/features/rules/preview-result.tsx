import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import type { RulePreview } from '#contract/rules.ts';
import { parseCents } from '#domain/decimal.ts';
import { countOf, formatCount, formatMoney, formatPercent } from '#web/lib/format.ts';
import { Missing } from '#web/ui/money-text.tsx';
import { TabCount } from '#web/ui/tab-count.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { MoveSizes, movesIn } from './move-sizes.tsx';
import { PreviewedListings } from './previewed-listings.tsx';
import { assignedText, averageChangeText, changeOf, decidedByText } from './rule-text.ts';

type PreviewResultProps = {
  preview: RulePreview;
  /** What to do where other rules price everything; false otherwise. */
  offer: React.ReactNode;
};

/** The preview: counts, what each line decides, previous rules of the listings, examples and the largest moves. */
export function PreviewResult({ preview, offer }: PreviewResultProps): React.JSX.Element {
  const { listings } = preview;
  if (listings === 0) {
    return (
      <div className="flex flex-col gap-2 px-4 pb-4">
        <p className="font-medium">This rule prices no listings.</p>
        {offer || (
          <p className="text-fg-muted">
            No listing matches its marketplace and fulfillment type, or other rules take precedence.
          </p>
        )}
        <Ownership preview={preview} />
      </div>
    );
  }
  return (
    <>
      <Counts preview={preview} />
      <div className="flex flex-col gap-1 px-4 py-3 text-sm">
        <p className="font-semibold">{movesText(preview)}</p>
        <MoveSizes sizes={preview.moveSizes} />
        {preview.lines.length > 0 && <p className="text-fg-muted">{linesTextOf(preview)}</p>}
        <Ownership preview={preview} />
      </div>
      <Listings preview={preview} />
    </>
  );
}

/** "51 prices fall (3 by 10% or more), 12 rise, 45 stay, 4 are blocked." */
function movesText(preview: RulePreview): string {
  const { raised, lowered, kept, recommended, blocked, notRead, bigRises, bigDrops, lines } = preview;
  const big = (count: number): string => (count === 0 ? '' : ` (${formatCount(count)} by 10% or more)`);
  const parts = [
    `${countOf(lowered, 'price falls', 'prices fall')}${big(bigDrops)}`,
    `${formatCount(raised)} ${raised === 1 ? 'rises' : 'rise'}${big(bigRises)}`,
    `${formatCount(kept)} ${kept === 1 ? 'stays' : 'stay'}`,
    ...(recommended > 0
      ? [`${formatCount(recommended)} ${recommended === 1 ? 'needs' : 'need'} review`]
      : []),
    ...(blocked > 0 ? [`${formatCount(blocked)} ${blocked === 1 ? 'is' : 'are'} blocked`] : []),
    // A rule with lines has it next to what they decide.
    ...(notRead > 0 && lines.length === 0
      ? [`${formatCount(notRead)} ${notRead === 1 ? 'has' : 'have'} no competitor data`]
      : []),
  ];
  return `${parts.join(', ')}.`;
}

/** Without the blocked ones, which are among the moves. */
function linesTextOf({ lines, notRead, noLine }: RulePreview): string {
  const text = decidedByText({ lines, notRead, noLine });
  return text === '' ? '' : `${text}.`;
}

function Counts({ preview }: { preview: RulePreview }): React.JSX.Element {
  const { changes, raised, lowered, blocked, atMarginFloor, averages } = preview;
  return (
    <dl className="grid grid-cols-2 gap-px border-y bg-border *:bg-surface *:px-4 *:py-2.5 sm:grid-cols-4 xl:max-wide:*:px-3">
      <Figure name="Prices change" figure={formatCount(changes)}>
        <span className="inline-flex items-center text-success-text">
          <ArrowUp aria-hidden className="size-3" />
          <span className="sr-only">raised </span>
          {formatCount(raised)}
        </span>{' '}
        <span className="inline-flex items-center text-danger-text">
          <ArrowDown aria-hidden className="size-3" />
          <span className="sr-only">lowered </span>
          {formatCount(lowered)}
        </span>
      </Figure>
      <Figure name="Average price" figure={averageChangeText(averages)}>
        {averages === null ? 'unknown' : `to ${formatMoney(averages.newPrice)}`}
      </Figure>
      <Figure name="Margin" figure={averages && formatPercent(averages.marginAfter)}>
        {averages === null ? 'unknown' : marginChangeText(averages)}
      </Figure>
      <Figure name="At margin floor" figure={formatCount(atMarginFloor)}>
        {blocked === 0 ? 'none blocked' : `${formatCount(blocked)} blocked`}
      </Figure>
    </dl>
  );
}

/** "−0.8 pts" */
function marginChangeText({ marginBefore, marginAfter }: NonNullable<RulePreview['averages']>): string {
  const change = changeOf(marginBefore, marginAfter);
  return Number(change) === 0 ? 'unchanged' : formatPercent(change, true).replace('%', ' pts');
}

/** @param figure null while it is unknown */
type FigureProps = { name: string; figure: string | null; children: React.ReactNode };

function Figure({ name, figure, children }: FigureProps): React.JSX.Element {
  return (
    <div className="min-w-0">
      <dt className="truncate text-xs text-fg-muted">{name}</dt>
      <dd>
        <span className="block text-xl font-semibold tabular-nums">{figure ?? <Missing />}</span>
        <span className="block text-xs text-fg-muted tabular-nums">{children}</span>
      </dd>
    </div>
  );
}

type Shown = 'examples' | 'falls' | 'rises' | 'floor' | 'blocked';

/** Examples of every outcome, the largest moves in both directions, and what is at a limit. */
function Listings({ preview }: { preview: RulePreview }): React.JSX.Element {
  const [tab, setTab] = useState<Shown>('examples');
  const { samples, moves, floorListings, blockedListings, atMarginFloor, blocked, moveSizes } = preview;
  const rises = moves.filter(
    ({ oldPrice, newPrice }) => (parseCents(newPrice ?? '') ?? 0) > (parseCents(oldPrice) ?? 0),
  );
  const falls = moves.filter((move) => !rises.includes(move));
  const tabs = {
    examples: { label: 'Examples', listings: samples, of: null },
    falls: { label: 'Falls', listings: falls, of: movesIn(moveSizes, 'fall') },
    rises: { label: 'Rises', listings: rises, of: movesIn(moveSizes, 'rise') },
    floor: { label: 'At margin floor', listings: floorListings, of: atMarginFloor },
    blocked: { label: 'Blocked', listings: blockedListings, of: blocked },
  } as const satisfies Record<Shown, { label: string; listings: unknown; of: number | null }>;
  return (
    <TabGroup value={tab} onValueChange={(value) => setTab(value as Shown)} className="border-t">
      <TabBar aria-label="Listings of the preview" className="px-4">
        {(Object.keys(tabs) as Shown[]).map((each) => (
          <Tab key={each} value={each}>
            {tabs[each].label} <TabCount of={tabs[each].of} asksForWork={each === 'blocked'} />
          </Tab>
        ))}
      </TabBar>
      {(Object.keys(tabs) as Shown[]).map((each) => (
        <TabPanel key={each} value={each} className="px-4">
          {tabs[each].listings.length === 0 ? (
            <p className="py-3 text-sm text-fg-muted">None.</p>
          ) : (
            <PreviewedListings
              listings={tabs[each].listings}
              hasSentences={each === 'examples' || each === 'blocked'}
            />
          )}
          {tabs[each].listings.length < (tabs[each].of ?? 0) && (
            <p className="border-t py-2.5 text-sm text-fg-muted">
              {each === 'falls' || each === 'rises' ? 'The largest' : 'The first'}{' '}
              {formatCount(tabs[each].listings.length)} of {formatCount(tabs[each].of ?? 0)}.
            </p>
          )}
        </TabPanel>
      ))}
    </TabGroup>
  );
}

function Ownership({ preview: { takenFrom, givenUp, own } }: { preview: RulePreview }): React.JSX.Element {
  const lines = takenFrom.map(({ rule, listings }) =>
    rule === null
      ? `${countOf(listings, 'listing has', 'listings have')} no rule now.`
      : `Takes over ${countOf(listings, 'listing', 'listings')} from "${rule.name}".`,
  );
  if (givenUp > 0) lines.push(`No longer prices ${countOf(givenUp, 'listing', 'listings')}.`);
  if (own > 0) lines.push(`${assignedText(own, 'it')}.`);
  return (
    <ul className="flex flex-col gap-0.5 text-fg-muted">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
