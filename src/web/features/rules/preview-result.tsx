import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import type { RulePreview } from '#contract/rules.ts';
import { parseCents } from '#domain/decimal.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { PreviewedListings } from './previewed-listings.tsx';
import { assignedText, floorShare, linesDecideText } from './rule-text.ts';

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
        {preview.lines.length > 0 && <p className="text-fg-muted">{linesDecideText(preview)}</p>}
        <Ownership preview={preview} />
      </div>
      <Examples preview={preview} />
    </>
  );
}

/** "51 prices fall (3 by 10% or more), 12 rise, 45 stay, 4 are blocked." */
function movesText({ raised, lowered, kept, recommended, blocked, bigRises, bigDrops }: RulePreview): string {
  const big = (count: number): string => (count === 0 ? '' : ` (${formatCount(count)} by 10% or more)`);
  const parts = [
    `${countOf(lowered, 'price falls', 'prices fall')}${big(bigDrops)}`,
    `${formatCount(raised)} ${raised === 1 ? 'rises' : 'rise'}${big(bigRises)}`,
    `${formatCount(kept)} ${kept === 1 ? 'stays' : 'stay'}`,
    ...(recommended > 0
      ? [`${formatCount(recommended)} ${recommended === 1 ? 'needs' : 'need'} review`]
      : []),
    ...(blocked > 0 ? [`${formatCount(blocked)} ${blocked === 1 ? 'is' : 'are'} blocked`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function Counts({ preview }: { preview: RulePreview }): React.JSX.Element {
  const { changes, raised, lowered, recommended, blocked, atMarginFloor, notRead, listings } = preview;
  const share = floorShare(atMarginFloor, listings - blocked);
  return (
    <dl className="grid grid-cols-2 border-y sm:grid-cols-4 [&>div]:border-border [&>div]:px-4 [&>div]:py-2.5 sm:[&>div+div]:border-l">
      <Figure name="Changed" figure={formatCount(changes)}>
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
      <Figure name="Recommended" figure={formatCount(recommended)}>
        needs review
      </Figure>
      <Figure name="At margin floor" figure={share ?? 'None'}>
        {countOf(atMarginFloor, 'listing', 'listings')}
      </Figure>
      <Figure name="Not read" figure={formatCount(notRead)}>
        {blocked === 0 ? 'the price stays' : `${formatCount(blocked)} blocked`}
      </Figure>
    </dl>
  );
}

type FigureProps = { name: string; figure: string; children: React.ReactNode };

function Figure({ name, figure, children }: FigureProps): React.JSX.Element {
  return (
    <div>
      <dt className="text-xs text-fg-muted">{name}</dt>
      <dd>
        <span className="block text-lg font-semibold tabular-nums">{figure}</span>
        <span className="block text-xs text-fg-muted tabular-nums">{children}</span>
      </dd>
    </div>
  );
}

type Shown = 'examples' | 'falls' | 'rises';

/** Examples of every outcome, and the largest moves in both directions. */
function Examples({ preview: { samples, moves } }: { preview: RulePreview }): React.JSX.Element {
  const [tab, setTab] = useState<Shown>('examples');
  const rises = moves.filter(
    ({ oldPrice, newPrice }) => (parseCents(newPrice ?? '') ?? 0) > (parseCents(oldPrice) ?? 0),
  );
  const falls = moves.filter((move) => !rises.includes(move));
  const lists = { examples: samples, falls, rises };
  const labels = {
    examples: 'Examples',
    falls: `Largest falls (${falls.length})`,
    rises: `Largest rises (${rises.length})`,
  };
  return (
    <TabGroup value={tab} onValueChange={(value) => setTab(value as Shown)} className="border-t px-4 py-3">
      <TabBar aria-label="Listings of the preview">
        {(Object.keys(lists) as Shown[]).map((each) => (
          <Tab key={each} value={each}>
            {labels[each]}
          </Tab>
        ))}
      </TabBar>
      {(Object.keys(lists) as Shown[]).map((each) => (
        <TabPanel key={each} value={each}>
          {lists[each].length === 0 ? (
            <p className="py-3 text-sm text-fg-muted">None.</p>
          ) : (
            <PreviewedListings listings={lists[each]} hasSentences={each === 'examples'} />
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
