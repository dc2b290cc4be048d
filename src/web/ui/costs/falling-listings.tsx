import type { BelowMarginFloor } from '#contract/costs.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';

const NAMED = 5;

/** Listings that an edit takes below their margin floor. */
interface Falling {
  readonly fallingCount: number;
  /** The worst of them. */
  readonly falling: readonly BelowMarginFloor[];
}

/** "3 listings fall below their margin floor." */
export function fallingText({ fallingCount }: Pick<Falling, 'fallingCount'>): string {
  if (fallingCount === 0) return 'None of them falls below its margin floor.';
  const falls = countOf(fallingCount, 'listing falls', 'listings fall');
  return `${falls} below ${fallingCount === 1 ? 'its' : 'their'} margin floor.`;
}

/** The worst of the listings that fall below their margin floor, with price and floor. */
export function FallingListings({ falling, fallingCount }: Falling): React.JSX.Element | null {
  if (falling.length === 0) return null;
  const named = falling.slice(0, NAMED);
  return (
    <ul className="mt-2 flex flex-col gap-1 text-sm">
      {named.map(({ listingId, marketplace, sku, currentPrice, marginFloor }) => (
        <li key={listingId}>
          <span className="font-mono">{sku}</span> on {MARKETPLACE_NAMES[marketplace]}: priced at{' '}
          {formatMoney(currentPrice)}, needs {formatMoney(marginFloor)}
        </li>
      ))}
      {fallingCount > named.length && <li>{countOf(fallingCount - named.length, 'more', 'more')}</li>}
    </ul>
  );
}
