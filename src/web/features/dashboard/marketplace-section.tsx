import { useId } from 'react';
import type { MarketplaceStats } from '#contract/stats.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { MarketplaceCard } from './marketplace-card.tsx';

/** A card for each marketplace that has a listing. */
export function MarketplaceSection(props: { marketplaces: readonly MarketplaceStats[] }): React.JSX.Element {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="mt-1">
      <h2 id={headingId} className="text-md font-semibold">
        Performance by Marketplace
      </h2>
      <p className="text-fg-muted">
        A detailed breakdown of listings, value and fulfillment across marketplaces
      </p>
      {props.marketplaces.length === 0 ? (
        <div className="mt-3">
          <EmptyNote>No marketplace data available. Add listings to see stats.</EmptyNote>
        </div>
      ) : (
        <div className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {props.marketplaces.map((stats) => (
            <MarketplaceCard key={stats.marketplace} stats={stats} />
          ))}
        </div>
      )}
    </section>
  );
}
