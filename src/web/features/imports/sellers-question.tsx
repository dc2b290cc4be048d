import { useState } from 'react';
import type { Import } from '#contract/imports.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { type ImportDraft, isOwnSeller, type Seller, sellerKey } from './import-draft.ts';

/** More sellers than this are folded away behind a search. */
const FEW = 12;

type SellersQuestionProps = {
  imported: Import;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

/** Our own offers must never be answered with a lower price, so an administrator has to say which they are. */
export function SellersQuestion({ imported, draft, onChange }: SellersQuestionProps): React.JSX.Element {
  const groups = MARKETPLACES.map((marketplace) => ({
    marketplace,
    sellers: imported.sellers.filter((seller) => seller.marketplace === marketplace),
  })).filter(({ sellers }) => sellers.length > 0);
  const choose = (seller: Seller, isOwn: boolean): void =>
    onChange({ ownSellers: { ...draft.ownSellers, [sellerKey(seller)]: isOwn } });
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="text-md font-semibold">Which of these sellers are you?</h2>
        <p className="max-w-[70ch] text-fg-muted">
          Your own offers are not treated as competitors. If you choose none on a marketplace, prices there
          are only recommended.
        </p>
      </div>
      <div className="grid gap-6 md:grid-cols-2">
        {groups.map(({ marketplace, sellers }) => (
          <SellerGroup
            key={marketplace}
            marketplace={marketplace}
            sellers={sellers}
            draft={draft}
            onChoose={choose}
          />
        ))}
      </div>
    </Card>
  );
}

type SellerGroupProps = {
  marketplace: Marketplace;
  sellers: readonly Seller[];
  draft: ImportDraft;
  onChoose: (seller: Seller, isOwn: boolean) => void;
};

function SellerGroup({ marketplace, sellers, draft, onChoose }: SellerGroupProps): React.JSX.Element {
  const [search, setSearch] = useState('');
  const [isAll, setAll] = useState(false);
  const name = MARKETPLACE_NAMES[marketplace];
  const wanted = search.trim().toLowerCase();
  const found = [...sellers]
    .sort((one, other) => Number(other.isOwn) - Number(one.isOwn) || other.offers - one.offers)
    .filter((seller) => seller.name.toLowerCase().includes(wanted));
  // Chosen sellers stay in view, also beyond the first few.
  const shown = isAll ? found : found.filter((seller, at) => at < FEW || isOwnSeller(seller, draft));
  return (
    <fieldset className="min-w-0">
      <legend className="flex items-center gap-2 pb-1 font-semibold">
        <MarketplaceMark marketplace={marketplace} />
        {name}
      </legend>
      {sellers.length > FEW && (
        <TextField
          label={`Find a seller on ${name}`}
          hideLabel
          placeholder={`Find a seller on ${name}`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          fieldClassName="mb-2"
        />
      )}
      <ul className="flex flex-col">
        {shown.map((seller) => (
          <li key={seller.name} className="flex items-center justify-between gap-3">
            <Checkbox
              label={seller.name}
              checked={isOwnSeller(seller, draft)}
              onChange={(checked) => onChoose(seller, checked)}
              className="min-w-0"
            />
            <span className="shrink-0 text-sm text-fg-muted tabular-nums">
              {countOf(seller.offers, 'offer', 'offers')}
            </span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-fg-muted">No seller with this name.</p>}
      {shown.length < found.length && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {`Show all ${countOf(found.length, 'seller', 'sellers')}`}
        </Button>
      )}
    </fieldset>
  );
}
