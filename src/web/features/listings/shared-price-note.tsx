import type { ListingRow } from '#contract/listings.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { listText } from '#domain/text.ts';

type SharedPriceNoteProps = { row: Pick<ListingRow, 'marketplace' | 'sharesPriceWith'> };

/** Which listings have one price with this one. */
export function SharedPriceNote({ row }: SharedPriceNoteProps): React.JSX.Element | null {
  const { marketplace, sharesPriceWith } = row;
  if (sharesPriceWith.length === 0) return null;
  const name = MARKETPLACE_NAMES[marketplace];
  return (
    <p className="mt-1.5 text-sm text-fg-muted">
      {name} uses one price for this listing and {listText(sharesPriceWith)}. They are repriced together, by
      the rule of the listing whose lowest allowed price is highest. To price them separately, let prices vary
      by variation on {name}.
    </p>
  );
}
