import type { ListingRow } from '#contract/listings.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { badgesOf, ListingBadges } from './listing-badges.tsx';
import { RepricingSwitch } from './listing-columns.tsx';
import { PriceCell } from './price-cell.tsx';
import { ProductImage } from './product-cell.tsx';
import { RowMenu } from './row-menu.tsx';

/** A listing on a narrow screen: the main figures, the rest under "More". */
export function ListingCard({ row }: { row: ListingRow }): React.JSX.Element {
  return (
    <div className="flex flex-col">
      <div className="flex items-center gap-2.5">
        <span className="self-start pt-0.5">
          <ProductImage url={row.imageUrl} title={row.title} />
        </span>
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 font-medium">{row.title}</p>
          <ListingBadges marks={badgesOf(row)} />
          <p className="mt-0.5 flex min-w-0 flex-wrap items-center gap-x-1.5 text-sm text-fg-muted">
            <MarketplaceMark marketplace={row.marketplace} />
            {MARKETPLACE_NAMES[row.marketplace]}
            <span className="truncate font-mono">{row.sku}</span>
          </p>
        </div>
        <div className="flex max-w-32 shrink-0 flex-col items-end">
          <PriceCell row={row} />
          <MarginText percent={row.margin} />
        </div>
        <div className="flex flex-col items-center">
          <RepricingSwitch row={row} />
          <RowMenu row={row} />
        </div>
      </div>
      <details className="text-sm">
        <summary className="flex min-h-10 cursor-pointer items-center text-link">More</summary>
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
          <Fact name="AMZ/WMT" amount={row.amazonWalmartPrice} />
          <Fact name="3PL FBA/WFS" amount={row.thirdPartyFbaWfsPrice} />
          <Fact name="3PL FBM" amount={row.thirdPartyFbmPrice} />
          <Fact name="Total Cost" amount={row.totalCost} />
          <dt className="text-fg-muted">Fulfillment</dt>
          <dd className="text-right">{row.fulfillmentType}</dd>
          <Told name="Brand" text={row.brand} />
          <Told name="Supplier" text={row.supplier} />
          <Told name="Tags" text={row.tags.join(', ') || null} />
          {row.recommendedPriceReason !== null && (
            <>
              <dt className="col-span-2 mt-1 text-fg-muted">Recommended price</dt>
              <dd className="col-span-2">{row.recommendedPriceReason}</dd>
            </>
          )}
        </dl>
      </details>
    </div>
  );
}

/** Empty values take no room on a narrow screen. */
function Told({ name, text }: { name: string; text: string | null }): React.JSX.Element | null {
  if (text === null) return null;
  return (
    <>
      <dt className="text-fg-muted">{name}</dt>
      <dd className="text-right break-words">{text}</dd>
    </>
  );
}

function Fact({ name, amount }: { name: string; amount: string | null }): React.JSX.Element {
  return (
    <>
      <dt className="text-fg-muted">{name}</dt>
      <dd className="text-right">
        <MoneyText amount={amount} />
      </dd>
    </>
  );
}
