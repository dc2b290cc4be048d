import { Link } from '@tanstack/react-router';
import type { Import } from '#contract/imports.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { Callout } from '#web/ui/callout.tsx';

/** The first of them; the page of the import has the others. */
const SHOWN = 3;

/** What costs in a file do to prices, before it is imported; nothing where they harm none. */
export function CostEffectNote({ imported }: { imported: Import }): React.JSX.Element | null {
  const { effect, id } = imported;
  if (effect === null || effect.fallingCount + effect.unknownCount === 0) return null;
  const { fallingCount, unknownCount, falling } = effect;
  const lost = `The cost of ${countOf(unknownCount, 'listing', 'listings')} becomes unknown`;
  return (
    <Callout
      tone="danger"
      role="status"
      title={
        fallingCount === 0
          ? `${lost}.`
          : `${countOf(fallingCount, 'listing falls', 'listings fall')} below the margin floor.`
      }
    >
      <ul>
        {falling.slice(0, SHOWN).map(({ marketplace, sku, currentPrice, floorAfter }) => (
          <li key={`${marketplace} ${sku}`} className="tabular-nums">
            <span className="font-mono">{sku}</span> on {MARKETPLACE_NAMES[marketplace]}:{' '}
            {formatMoney(currentPrice)}, floor {formatMoney(floorAfter)}
          </li>
        ))}
      </ul>
      {fallingCount > 0 && unknownCount > 0 && <p>{lost}.</p>}
      <Link
        to="/imports/$id"
        params={{ id }}
        search={{ step: 'check' }}
        className="mt-1 inline-block rounded-sm text-link underline"
      >
        See the effect on each listing
      </Link>
    </Callout>
  );
}
