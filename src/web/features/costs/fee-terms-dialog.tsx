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

/** Edits the seller's plan with a marketplace, the sales tax assumed there, and shares for advertising and returns. */
export function FeeTermsDialog({ terms, onClose }: FeeTermsDialogProps): React.JSX.Element {
  const { marketplace, plans } = terms;
  const [plan, setPlan] = useState(terms.plan);
  const [salesTax, setSalesTax] = useState(shortPercent(terms.salesTax));
  const [adShare, setAdShare] = useState(textOf(terms.adShare));
  const [returnShare, setReturnShare] = useState(textOf(terms.returnShare));
  const [isTold, setTold] = useState(false);
  const save = useSaveFeeTerms(marketplace);
  const share = typedPercent(salesTax);
  const isUsable = share !== null && Number(share) >= 0 && Number(share) <= 30;
  const submit = (): void => {
    setTold(true);
    if (!isUsable || problemWith(adShare) !== undefined || problemWith(returnShare) !== undefined) {
      focusFirstError();
      return;
    }
    save.mutate(
      { plan, salesTax: share, adShare: shareOf(adShare), returnShare: shareOf(returnShare) },
      {
        onSuccess: () => {
          toast('Terms saved', 'Repricing the affected listings.');
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
      title={`Terms: ${MARKETPLACE_NAMES[marketplace]}`}
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
          hint="Some fees are charged on the total with sales tax, which differs from state to state. Margins hold on average over all states. With 8% your own orders count once 30 of them were settled."
          error={isTold && !isUsable ? 'Enter 0 to 30' : undefined}
          value={salesTax}
          onChange={(event) => setSalesTax(event.target.value)}
        />
        <NumberField
          label="Advertising"
          unit="%"
          hint={`Share of what buyers pay, counted in margin floors; a listing may have its own. Leave blank to count none.${learnedText(terms.learned?.adShare)}`}
          error={isTold ? problemWith(adShare) : undefined}
          value={adShare}
          onChange={(event) => setAdShare(event.target.value)}
        />
        <NumberField
          label="Returns"
          unit="%"
          hint={`What returns cost you, as a share of what buyers pay. Leave blank to count none.${learnedText(terms.learned?.returnShare)}`}
          error={isTold ? problemWith(returnShare) : undefined}
          value={returnShare}
          onChange={(event) => setReturnShare(event.target.value)}
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

function textOf(share: string | null): string {
  return share === null ? '' : shortPercent(share);
}

/** Null is blank; the text is one that `problemWith` accepts. */
function shareOf(text: string): string | null {
  return text.trim() === '' ? null : typedPercent(text);
}

function problemWith(text: string): string | undefined {
  const share = shareOf(text);
  const isBlank = text.trim() === '';
  const isUsable = share !== null && Number(share) >= 0 && Number(share) < 100;
  return isBlank || isUsable ? undefined : 'Enter 0 to 99.99, or leave it blank';
}

function learnedText(share: string | null | undefined): string {
  return share == null ? '' : ` In the last 90 days it was ${shortPercent(share)}%.`;
}
