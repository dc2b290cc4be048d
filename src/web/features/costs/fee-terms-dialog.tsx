import { useState } from 'react';
import type { FeeTermsView } from '#contract/fees.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { shortPercent } from '#web/lib/format.ts';
import { typedPercent } from '#web/lib/typed-numbers.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useSaveFeeTerms } from './fee-queries.ts';

type FeeTermsDialogProps = { terms: FeeTermsView; onClose: () => void };

/** Edits the seller's plan with a marketplace and the sales tax assumed there. */
export function FeeTermsDialog({ terms, onClose }: FeeTermsDialogProps): React.JSX.Element {
  const { marketplace, plans } = terms;
  const [plan, setPlan] = useState(terms.plan);
  const [salesTax, setSalesTax] = useState(shortPercent(terms.salesTax));
  const [isTold, setTold] = useState(false);
  const save = useSaveFeeTerms(marketplace);
  const share = typedPercent(salesTax);
  const isUsable = share !== null && Number(share) >= 0 && Number(share) <= 30;
  const submit = (): void => {
    setTold(true);
    if (!isUsable) {
      focusFirstError();
      return;
    }
    save.mutate(
      { plan, salesTax: share },
      {
        onSuccess: () => {
          toast('Plan and sales tax saved', 'Repricing the affected listings.');
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={`Plan and sales tax: ${MARKETPLACE_NAMES[marketplace]}`}
      onSubmit={submit}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={save.isPending} pendingText="Saving...">
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {plan !== null && (
          <SelectField
            label="Your plan"
            hint="Replaces the published fees with those of the plan. Fees that you edited stay."
            options={plans.map((value) => ({ value, label: value }))}
            value={plan}
            onChange={setPlan}
          />
        )}
        <NumberField
          label="Assumed sales tax"
          unit="%"
          hint="Some fees are charged on the total with sales tax, which differs from state to state. Margins hold on average over all states. Default: 8%."
          error={isTold && !isUsable ? 'Enter 0 to 30' : undefined}
          value={salesTax}
          onChange={(event) => setSalesTax(event.target.value)}
        />
        {save.error !== null && (
          <Callout tone="danger" role="alert" title="Could not save">
            <p className="text-fg-muted">{errorText(save.error)}</p>
          </Callout>
        )}
      </div>
    </Dialog>
  );
}
