import { ArrowRight, ShieldAlert } from 'lucide-react';
import type { BundlePreview, ListingFigures } from '#contract/bundles.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { Missing, MoneyText } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { totalsOf } from './draft.ts';
import type { BundleDraft } from './use-bundle-draft.ts';
import { weightText } from './words.ts';

/** What the draft costs and weighs, and what becomes of the listings: before anything is saved. */
export function DraftFigures({ draft }: { draft: BundleDraft }): React.JSX.Element {
  const { preview, previewError, isPreviewCurrent, parts } = draft;
  const box = preview?.ownSku ?? null;
  const { cost, weight, withoutCost, withoutWeight, deleted } = totalsOf(parts, box);
  return (
    <>
      <dl aria-live="polite" className="flex flex-wrap gap-x-8 gap-y-2">
        <Figure name="Total cost" about={box === null ? null : 'in the box of its own SKU'}>
          {cost === null ? <Missing /> : formatMoney(decimalFromCents(cost))}
        </Figure>
        <Figure name="Total weight" about={null}>
          {weight === null ? <Missing /> : weightText(weight)}
        </Figure>
      </dl>
      {deleted.length > 0 && (
        <p className="text-sm text-danger-text">
          {deleted.join(', ')}: deleted. Take it out of the bundle, or add it again under SKUs.
        </p>
      )}
      <Unknown of="product cost" skus={withoutCost} />
      <Unknown of="weight" skus={withoutWeight} />
      {previewError !== null && (
        <p className="text-danger-text">The effect on its listings is not known: {errorText(previewError)}</p>
      )}
      {preview !== undefined && preview.listings.length > 0 && (
        <div className={classNames(!isPreviewCurrent && 'opacity-60')} aria-busy={!isPreviewCurrent}>
          <Effects listings={preview.listings} />
        </div>
      )}
    </>
  );
}

type FigureProps = { name: string; about: string | null; children: React.ReactNode };

function Figure({ name, about, children }: FigureProps): React.JSX.Element {
  return (
    <div>
      <dt className="text-sm text-fg-muted">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">
        {children}
        {about !== null && <span className="ml-2 text-sm font-normal text-fg-muted">{about}</span>}
      </dd>
    </div>
  );
}

function Unknown({ of, skus }: { of: string; skus: readonly string[] }): React.JSX.Element | null {
  if (skus.length === 0) return null;
  return (
    <p className="text-sm text-danger-text">
      {skus.join(', ')}: the {of} is not known. Until you enter it, the listings of this bundle get no price.
    </p>
  );
}

type EffectListing = BundlePreview['listings'][number];

function Effects({ listings }: { listings: readonly EffectListing[] }): React.JSX.Element {
  return (
    <PlainTable caption="What the bundle means for its listings">
      <thead>
        <tr>
          <HeadCell>Marketplace</HeadCell>
          <HeadCell numeric>Your Price</HeadCell>
          <HeadCell numeric>Total Cost</HeadCell>
          <HeadCell numeric>Margin %</HeadCell>
          <HeadCell numeric>Lowest legal price</HeadCell>
        </tr>
      </thead>
      <tbody>
        {listings.map((listing) => (
          <Effect key={listing.listingId} listing={listing} />
        ))}
      </tbody>
    </PlainTable>
  );
}

function Effect({ listing }: { listing: EffectListing }): React.JSX.Element {
  const { marketplace, fulfillmentType, currentPrice, before, after } = listing;
  return (
    <tr>
      <Cell className="whitespace-nowrap">
        <span className="flex items-center gap-1.5">
          <MarketplaceMark marketplace={marketplace} />
          {MARKETPLACE_NAMES[marketplace]} {fulfillmentType}
          {after.isBelowFloor && (
            <Badge tone="danger" icon={ShieldAlert}>
              Below minimum
            </Badge>
          )}
        </span>
        {after.missing.map((text) => (
          <span key={text} className="block max-w-[50ch] text-sm whitespace-normal text-danger-text">
            {text}
          </span>
        ))}
      </Cell>
      <Cell numeric>
        <MoneyText amount={currentPrice} />
      </Cell>
      <Move before={before} after={after} of="totalCost" />
      <Move before={before} after={after} of="margin" />
      <Move before={before} after={after} of="lowestLegalPrice" />
    </tr>
  );
}

type MoveProps = {
  before: ListingFigures;
  after: ListingFigures;
  of: 'totalCost' | 'margin' | 'lowestLegalPrice';
};

/** A figure, with what it was where it changes. */
function Move({ before, after, of }: MoveProps): React.JSX.Element {
  const draw = (value: string | null) =>
    of === 'margin' ? <MarginText percent={value} /> : <MoneyText amount={value} />;
  return (
    <Cell numeric className="whitespace-nowrap">
      <span className="inline-flex items-center gap-1.5">
        {before[of] !== after[of] && (
          <>
            <span className="sr-only">was </span>
            {draw(before[of])}
            <ArrowRight aria-hidden className="size-3.5 text-fg-muted" />
            <span className="sr-only">, becomes </span>
          </>
        )}
        {draw(after[of])}
      </span>
    </Cell>
  );
}
