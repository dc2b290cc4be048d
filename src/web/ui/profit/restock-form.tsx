import { useState } from 'react';
import type { SaleDetail } from '#contract/sales.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { useRestock } from './sale-queries.ts';

type RestockFormProps = { sale: SaleDetail; onSaved: () => void };

/** How many returned units can be sold again; the others are written off. */
export function RestockForm({ sale, onSaved }: RestockFormProps): React.JSX.Element {
  const { id, restocked, quantitySold, productCost } = sale;
  const [text, setText] = useState(String(restocked));
  const save = useRestock(id);
  const units = /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
  const isUsable = units !== null && units <= quantitySold;
  const change = isUsable && units !== restocked ? changeOf(productCost, units - restocked) : null;
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (!isUsable || units === restocked) return;
    save.mutate(units, {
      onSuccess: () => {
        toast('Returned units saved', `${countOf(units, 'unit', 'units')} back in stock.`);
        onSaved();
      },
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <h3 className="font-semibold">
        Returned units: {restocked === 0 ? 'written off' : `${restocked} of ${quantitySold} restocked`}
      </h3>
      <div className="flex flex-col items-start gap-2">
        <NumberField
          label="Units back in stock"
          hint={hintOf(productCost)}
          inputMode="numeric"
          fieldClassName="w-full max-w-96"
          error={
            isUsable
              ? save.error === null
                ? undefined
                : errorText(save.error)
              : `Enter 0 to ${quantitySold}`
          }
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" look="outline" pending={save.isPending} pendingText="Saving...">
          Save
        </Button>
      </div>
      {change !== null && (
        <p role="status" className="text-sm">
          {change}
        </p>
      )}
    </form>
  );
}

function hintOf(productCost: string | null): string {
  return productCost === null
    ? 'Each returns its product cost, which is unknown, to the profit. The others are written off.'
    : `Each returns its product cost of ${formatMoney(productCost)} to the profit. The others are written off.`;
}

/** "Profit rises by $8.00." */
function changeOf(productCost: string | null, units: number): string | null {
  if (productCost === null) return null;
  const amount = formatMoney(((Math.round(100 * Number(productCost)) * Math.abs(units)) / 100).toFixed(2));
  return units > 0
    ? `The profit of this sale rises by ${amount}.`
    : `The profit of this sale falls by ${amount}.`;
}
