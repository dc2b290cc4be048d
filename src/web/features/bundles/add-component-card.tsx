import { Plus } from 'lucide-react';
import { useState } from 'react';
import { announce } from '#web/lib/announce.ts';
import { formatCount } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Combobox } from '#web/ui/combobox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { listingText } from './bundles-text.ts';
import { addPart, quantityOf, type SkuOption } from './draft.ts';
import { SKU_OPTIONS } from './queries.ts';
import type { BundleDraft } from './use-bundle-draft.ts';

const NOUN = { one: 'SKU', many: 'SKUs' };
const START = '1';

type AddComponentCardProps = {
  draft: BundleDraft;
  inputRef: React.RefObject<HTMLInputElement | null>;
  onNoListing: () => void;
};

/** Adds a SKU to the draft. After adding, the search is ready for the next one. */
export function AddComponentCard({ draft, inputRef, onNoListing }: AddComponentCardProps): React.JSX.Element {
  const [sku, setSku] = useState<SkuOption | null>(null);
  const [quantity, setQuantity] = useState(START);
  const [isSkuMissing, setSkuMissing] = useState(false);
  const put = (chosen: SkuOption): void => {
    const more = quantityOf(quantity);
    const raised = addPart(draft.parts, chosen, more).find(({ id }) => id === chosen.id)?.quantity ?? more;
    draft.change((parts) => addPart(parts, chosen, more));
    if (raised === more) announce(`${chosen.sku} added, ${formatCount(more)}.`);
    else
      toast(
        'Quantity raised',
        `${chosen.sku} was already in this bundle. Its quantity is now ${formatCount(raised)}.`,
      );
    setSku(null);
    setQuantity(START);
  };
  const add = (): void => {
    if (draft.listingSku === null) {
      onNoListing();
      return;
    }
    if (sku === null) setSkuMissing(true);
    else put(sku);
    inputRef.current?.focus();
  };
  return (
    <Card>
      <form
        aria-labelledby="add-component"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
        className="flex flex-col gap-4"
      >
        <h2 id="add-component" className="text-md font-semibold">
          Add Component
        </h2>
        <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
          <Combobox<SkuOption>
            label="SKU"
            placeholder="Search by SKU or name"
            error={isSkuMissing && sku === null ? 'Select a SKU first.' : undefined}
            source={SKU_OPTIONS}
            noun={NOUN}
            keyOf={({ id }) => id}
            textOf={skuText}
            value={sku === null ? '' : skuText(sku)}
            onChoose={(chosen) => {
              setSku(chosen);
              setSkuMissing(false);
            }}
            inputRef={inputRef}
          />
          <NumberField
            label="Quantity"
            inputMode="numeric"
            value={quantity}
            onChange={(event) => setQuantity(event.target.value)}
            onBlur={() => setQuantity((typed) => String(quantityOf(typed)))}
          />
          <Button type="submit" look="outline" size="field" className="sm:mt-6.5">
            <Plus aria-hidden />
            Add
          </Button>
        </div>
      </form>
    </Card>
  );
}

function skuText({ sku, name }: SkuOption): string {
  return listingText({ sku, title: name });
}
