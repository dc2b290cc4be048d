import type { Import } from '#contract/imports.ts';
import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { Card } from '#web/ui/card.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';

/** Which sellers of the file are us, to look at: only an administrator may name more. */
export function DeclaredSellers({ imported }: { imported: Import }): React.JSX.Element {
  const groups = MARKETPLACES.map((marketplace) => {
    const sellers = imported.sellers.filter((seller) => seller.marketplace === marketplace);
    return { marketplace, count: sellers.length, own: sellers.filter(({ isOwn }) => isOwn) };
  }).filter(({ count }) => count > 0);
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="text-md font-semibold">Your own offers in this file</h2>
        <p className="max-w-[70ch] text-fg-muted">
          Your own offers are not treated as competitors. If one of your sellers is missing here, an
          administrator can add it under Settings.
        </p>
      </div>
      <ul aria-label="Your sellers in this file" className="grid gap-4 md:grid-cols-2">
        {groups.map(({ marketplace, own }) => (
          <li key={marketplace} className="min-w-0">
            <p className="flex items-center gap-2 font-semibold">
              <MarketplaceMark marketplace={marketplace} />
              {MARKETPLACE_NAMES[marketplace]}
            </p>
            <p className="break-words text-fg-muted">
              {own.length === 0
                ? 'None of these sellers is marked as yours.'
                : own.map(({ name }) => name).join(', ')}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
