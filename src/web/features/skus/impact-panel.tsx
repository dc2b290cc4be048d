import type { SkuImpact } from '#contract/skus.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { Callout } from '#web/ui/callout.tsx';
import { salesText } from '#web/ui/costs/cost-since.tsx';
import { FallingListings, fallingText } from '#web/ui/costs/falling-listings.tsx';

/** "3 prices too low, 1 cost unknown"; null without harm. */
export function harmText({ fallingCount, unknownCount }: SkuImpact): string | null {
  const parts = [
    ...(fallingCount > 0 ? [countOf(fallingCount, 'price too low', 'prices too low')] : []),
    ...(unknownCount > 0 ? [countOf(unknownCount, 'cost unknown', 'costs unknown')] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** "4 listings and 1 bundle"; null without both. */
export function usesText({ listings, bundles }: Pick<SkuImpact, 'listings' | 'bundles'>): string | null {
  const parts = [
    ...(listings > 0 ? [countOf(listings, 'listing', 'listings')] : []),
    ...(bundles > 0 ? [countOf(bundles, 'bundle', 'bundles')] : []),
  ];
  return parts.length === 0 ? null : parts.join(' and ');
}

type ImpactPanelProps = {
  /** Undefined while it is being calculated. */
  impact: SkuImpact | undefined;
  error: Error | null;
};

/** The impact of changed costs on listings and bundles. */
export function ImpactPanel({ impact, error }: ImpactPanelProps): React.JSX.Element {
  if (error !== null) {
    return (
      <Callout tone="danger" role="alert" title="Could not calculate the impact">
        <p className="text-fg-muted">{errorText(error)}</p>
      </Callout>
    );
  }
  if (impact === undefined) {
    return (
      <Callout tone="info" role="status" title="Calculating the impact">
        <p className="text-fg-muted">Checking the listings and bundles with this SKU.</p>
      </Callout>
    );
  }
  const uses = usesText(impact);
  if (uses === null) {
    return (
      <Callout tone="info" role="status" title="No listing is affected">
        <p className="text-fg-muted">No listing or bundle uses this SKU yet.</p>
      </Callout>
    );
  }
  return (
    <Callout
      tone={harmText(impact) === null ? 'info' : 'danger'}
      role="status"
      title={`This changes the cost of ${uses}`}
    >
      <ul className="text-fg-muted">
        <li>{fallingText(impact)}</li>
        <li>{salesText(impact.sales)}</li>
        {impact.unknownCount > 0 && (
          <li>
            {countOf(impact.unknownCount, 'listing has', 'listings have')} an unknown cost and
            {impact.unknownCount === 1 ? ' is' : ' are'} not repriced until you enter it.
          </li>
        )}
      </ul>
      <FallingListings falling={impact.falling} fallingCount={impact.fallingCount} />
    </Callout>
  );
}
