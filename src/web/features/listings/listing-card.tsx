import { ChevronDown } from 'lucide-react';
import { Fragment, useId, useState } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { classNames } from '#web/lib/class-names.ts';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { badgeOf, ListingStateBadge, statesOf } from './listing-badges.tsx';
import { RepricingSwitch } from './listing-columns.tsx';
import { PriceCell } from './price-cell.tsx';
import { ProductImage } from './product-cell.tsx';
import { RowMenu } from './row-menu.tsx';

/** A listing on a narrow screen: the main figures, the rest after a press on its SKU. */
export function ListingCard({ row }: { row: ListingRow }): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const moreId = useId();
  const badge = badgeOf(row);
  return (
    <div className="flex flex-col">
      <div className="flex items-center gap-2">
        <span className="self-start pt-0.5 in-data-selecting:hidden">
          <ProductImage url={row.imageUrl} title={row.title} />
        </span>
        <div className="min-w-0 flex-1">
          <p className={classNames('leading-5', badge === null ? 'line-clamp-2' : 'truncate')}>{row.title}</p>
          {badge !== null && <ListingStateBadge badge={badge} />}
          {/* The target is higher than its line. */}
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={moreId}
            onClick={() => setOpen(!isOpen)}
            className="-my-2.5 flex min-h-10 max-w-full items-center gap-1.5 text-sm text-fg-muted"
          >
            <MarketplaceMark marketplace={row.marketplace} />
            <span className="sr-only">{MARKETPLACE_NAMES[row.marketplace]}</span>
            <span className="truncate font-mono text-xs">{row.sku}</span>
            <span className="shrink-0">{row.fulfillmentType}</span>
            <span className="sr-only">, more figures</span>
            <ChevronDown aria-hidden className={classNames('size-3.5 shrink-0', isOpen && 'rotate-180')} />
          </button>
        </div>
        <div className="flex max-w-32 shrink-0 flex-col items-end">
          <PriceCell row={row} />
          <MarginText percent={row.margin} />
        </div>
        <RepricingSwitch row={row} />
        <span className="-ml-2">
          <RowMenu row={row} startsSelection />
        </span>
      </div>
      {isOpen && (
        <dl id={moreId} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 pt-2 pr-2 text-sm">
          <States row={row} />
          <dt className="text-fg-muted">Marketplace</dt>
          <dd className="text-right">{MARKETPLACE_NAMES[row.marketplace]}</dd>
          <Fact name="AMZ/WMT" amount={row.amazonWalmartPrice} />
          <Fact name="3PL FBA/WFS" amount={row.thirdPartyFbaWfsPrice} />
          <Fact name="3PL FBM" amount={row.thirdPartyFbmPrice} />
          <Fact name="Total Cost" amount={row.totalCost} />
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
      )}
    </div>
  );
}

/** What the badge has no room for: every state, with its cause and its fix. A phone has no tooltips. */
function States({ row }: { row: ListingRow }): React.JSX.Element[] {
  return statesOf(row).map(({ text, tip }) => (
    <Fragment key={text}>
      <dt className="col-span-2 font-medium">{text}</dt>
      <dd className="col-span-2 pb-1 text-fg-muted empty:hidden">{tip}</dd>
    </Fragment>
  ));
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
