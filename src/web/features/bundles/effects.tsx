import { ShieldAlert } from 'lucide-react';
import type { BundlePreview, ListingFigures } from '#contract/bundles.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { MOBILE, useMediaQuery } from '#web/lib/use-media-query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';

type EffectListing = BundlePreview['listings'][number];

const CAPTION = 'Effect of the bundle on its listings';
const FIGURES = [
  { of: 'totalCost', label: 'Total Cost' },
  { of: 'margin', label: 'Margin %' },
  { of: 'marginFloor', label: 'Margin floor' },
] as const;

/** The effect on each listing, next to the current value where it differs. */
export function Effects({ listings }: { listings: readonly EffectListing[] }): React.JSX.Element {
  const missing = missingEverywhere(listings);
  return (
    <>
      <MissingLines lines={missing} />
      <EffectRows listings={listings.map((listing) => withoutMissing(listing, missing))} />
    </>
  );
}

/** Missing data common to all of several listings: shown once, before them. */
function missingEverywhere(listings: readonly EffectListing[]): readonly string[] {
  const [first, ...others] = listings;
  if (first === undefined || others.length === 0) return [];
  return first.after.missing.filter((text) => others.every(({ after }) => after.missing.includes(text)));
}

function withoutMissing(listing: EffectListing, said: readonly string[]): EffectListing {
  const missing = listing.after.missing.filter((text) => !said.includes(text));
  return { ...listing, after: { ...listing.after, missing } };
}

function MissingLines({ lines }: { lines: readonly string[] }): React.JSX.Element {
  return (
    <>
      {lines.map((text) => (
        <span key={text} className="mb-2 block max-w-[70ch] text-sm text-danger-text">
          {text}
        </span>
      ))}
    </>
  );
}

function EffectRows({ listings }: { listings: readonly EffectListing[] }): React.JSX.Element {
  const isMobile = useMediaQuery(MOBILE);
  if (isMobile) {
    return (
      <ul aria-label={CAPTION} className="flex flex-col divide-y rounded-lg border">
        {listings.map((listing) => (
          <EffectCard key={listing.listingId} listing={listing} />
        ))}
      </ul>
    );
  }
  return (
    <PlainTable caption={CAPTION}>
      <thead>
        <tr>
          <HeadCell>Marketplace</HeadCell>
          <HeadCell numeric>Your Price</HeadCell>
          {FIGURES.map(({ of, label }) => (
            <HeadCell key={of} numeric>
              {label}
            </HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {listings.map((listing) => (
          <tr key={listing.listingId} className="align-top">
            <Cell className="w-full">
              <ListingName listing={listing} />
            </Cell>
            <Cell numeric>
              <MoneyText amount={listing.currentPrice} />
            </Cell>
            {FIGURES.map(({ of }) => (
              <Cell key={of} numeric className="whitespace-nowrap">
                <Move listing={listing} of={of} />
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function EffectCard({ listing }: { listing: EffectListing }): React.JSX.Element {
  return (
    <li className="flex flex-col gap-2 p-3">
      <ListingName listing={listing} />
      <dl className="grid grid-cols-2 gap-2">
        <div>
          <dt className="text-sm text-fg-muted">Your Price</dt>
          <dd>
            <MoneyText amount={listing.currentPrice} />
          </dd>
        </div>
        {FIGURES.map(({ of, label }) => (
          <div key={of}>
            <dt className="text-sm text-fg-muted">{label}</dt>
            <dd>
              <Move listing={listing} of={of} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function ListingName({ listing }: { listing: EffectListing }): React.JSX.Element {
  const { marketplace, fulfillmentType, after } = listing;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
        <MarketplaceMark marketplace={marketplace} />
        {MARKETPLACE_NAMES[marketplace]} {fulfillmentType}
        {after.isBelowMarginFloor && (
          <Badge tone="danger" icon={ShieldAlert}>
            Below margin floor
          </Badge>
        )}
      </span>
      {after.missing.map((text) => (
        <span key={text} className="block max-w-[50ch] text-sm text-danger-text">
          {text}
        </span>
      ))}
    </>
  );
}

type FigureName = (typeof FIGURES)[number]['of'];

/** A figure, with its current value below if it changes. */
function Move({ listing, of }: { listing: EffectListing; of: FigureName }): React.JSX.Element {
  const { before, after } = listing;
  return (
    <>
      <Value figures={after} of={of} />
      {before[of] !== after[of] && (
        <span className="block text-sm text-fg-muted">
          was <Value figures={before} of={of} />
        </span>
      )}
    </>
  );
}

function Value({ figures, of }: { figures: ListingFigures; of: FigureName }): React.JSX.Element {
  const value = figures[of];
  return of === 'margin' ? <MarginText percent={value} /> : <MoneyText amount={value} />;
}
