import { useEffect, useRef } from 'react';
import type { FeeImpact } from '#contract/fees.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatMoney, formatPercent } from '#web/lib/format.ts';
import { Callout } from '#web/ui/callout.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';

/** The effect of a change of fees on current prices, before it is saved. */
export function FeeImpactPanel({ impact }: { impact: FeeImpact }): React.JSX.Element {
  const { worst, underMargin, blocked } = impact;
  const box = useRef<HTMLDivElement>(null);
  // It is below the form: scrolls it into view.
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={box} className="mt-4 scroll-mb-4">
      <Callout tone={underMargin + blocked > 0 ? 'danger' : 'success'} role="status" title={headline(impact)}>
        <p className="text-fg-muted">{details(impact)}</p>
        {worst.length > 0 && <WorstTable worst={worst} total={underMargin + blocked} />}
      </Callout>
    </div>
  );
}

/** "214 listings fall under margin, 3 become blocked" */
function headline({ affected, underMargin, blocked }: FeeImpact): string {
  if (affected === 0) return 'No fee changes for any listing';
  if (underMargin === 0 && blocked === 0) return 'No listing falls below its minimum margin';
  const falls = countOf(
    underMargin,
    'listing falls below its minimum margin',
    'listings fall below their minimum margin',
  );
  const blocks = `${countOf(blocked, 'listing becomes', 'listings become')} blocked`;
  return [...(underMargin > 0 ? [falls] : []), ...(blocked > 0 ? [blocks] : [])].join(', ');
}

function details({ affected, underMargin, blocked, recovered }: FeeImpact): string {
  return [
    ...(affected > 0
      ? [`${countOf(affected, 'listing pays', 'listings pay')} under a different schedule or band.`]
      : []),
    ...(underMargin > 0
      ? ['Their prices stay as they are until the next run raises them or recommends a higher price.']
      : []),
    ...(blocked > 0 ? ['Blocked listings keep their price until an allowed price exists.'] : []),
    ...(recovered > 0
      ? [`${countOf(recovered, 'listing is', 'listings are')} above the minimum margin again.`]
      : []),
  ].join(' ');
}

type WorstTableProps = { worst: FeeImpact['worst']; total: number };

function WorstTable({ worst, total }: WorstTableProps): React.JSX.Element {
  const caption = total > worst.length ? `The ${worst.length} worst` : 'The listings';
  return (
    <div className="mt-3">
      <p className="mb-1 text-sm font-medium">{caption}</p>
      <PlainTable caption={caption}>
        <thead>
          <tr>
            <HeadCell>Listing</HeadCell>
            <HeadCell numeric>Price</HeadCell>
            <HeadCell numeric>Margin now</HeadCell>
            <HeadCell numeric>Margin after</HeadCell>
            <HeadCell numeric>Margin floor</HeadCell>
          </tr>
        </thead>
        <tbody>
          {worst.map((row) => (
            <tr key={row.listingId}>
              <Cell>
                <span className="font-mono text-sm">{row.sku}</span>
                <span className="block max-w-52 truncate text-sm text-fg-muted">
                  {MARKETPLACE_NAMES[row.marketplace]}: {row.title}
                </span>
              </Cell>
              <Cell numeric>{formatMoney(row.currentPrice)}</Cell>
              <Cell numeric>{row.marginBefore === null ? 'unknown' : formatPercent(row.marginBefore)}</Cell>
              <Cell numeric>{row.marginAfter === null ? 'unknown' : formatPercent(row.marginAfter)}</Cell>
              <Cell numeric>
                {row.marginFloorAfter === null ? 'none' : formatMoney(row.marginFloorAfter)}
              </Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}
