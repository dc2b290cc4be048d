import type { RulePreview } from '#contract/rules.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { PreviewedListings } from './previewed-listings.tsx';
import { assignedText, floorShare } from './rule-text.ts';

/** The preview: counts, previous rules of the listings, samples with reasons, the largest changes. */
export function PreviewResult({ preview }: { preview: RulePreview }): React.JSX.Element {
  const { listings, samples, moves } = preview;
  if (listings === 0) {
    return (
      <div className="flex flex-col gap-2">
        <p className="font-medium">This rule prices no listings.</p>
        <p className="text-fg-muted">
          No listing matches its marketplace and fulfillment type, or other rules take precedence.
        </p>
        <Ownership preview={preview} />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-3">
        <p className="text-lg font-semibold">This rule prices {countOf(listings, 'listing', 'listings')}.</p>
        <Counts preview={preview} />
        <Ownership preview={preview} />
      </div>
      <div>
        <h4 className="font-semibold">
          {samples.length === 1 ? 'One of your listings' : `${samples.length} of your listings`}
        </h4>
        <PreviewedListings listings={samples} hasSentences />
      </div>
      {moves.length > 0 && (
        <div>
          <h4 className="font-semibold">
            {moves.length === 1 ? 'The only change' : `The ${moves.length} largest changes`}
          </h4>
          <PreviewedListings listings={moves} hasSentences={false} />
        </div>
      )}
    </div>
  );
}

function Counts({ preview }: { preview: RulePreview }): React.JSX.Element {
  const { changes, raised, lowered, kept, recommended, blocked, atMarginFloor, listings } = preview;
  const share = floorShare(atMarginFloor, listings - blocked);
  const figures: [string, string, string][] = [
    ['Changed', formatCount(changes), `${formatCount(raised)} raised, ${formatCount(lowered)} lowered`],
    ['Recommended', formatCount(recommended), 'needs review'],
    ['Kept', formatCount(kept), 'the price stays'],
    ['Blocked', formatCount(blocked), 'data is missing'],
    ['At margin floor', share ?? 'None', 'priced at their margin floor'],
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {figures.map(([name, figure, note]) => (
        <div key={name}>
          <dt className="text-xs text-fg-muted">{name}</dt>
          <dd>
            <span className="block text-lg font-semibold tabular-nums">{figure}</span>
            <span className="block text-xs text-fg-muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
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
    <ul className="flex flex-col gap-0.5 text-sm text-fg-muted">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
