import { useState } from 'react';
import type { FeeTermsView } from '#contract/fees.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import { ASSUMED_SALES_TAX } from '#domain/fees/compose-fees.ts';
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
import { salesTaxText } from './fee-text.ts';

type FeeTermsDialogProps = { terms: FeeTermsView; onClose: () => void };

/** Edits the seller's plan with a marketplace, its sales tax, and shares for advertising and returns. */
export function FeeTermsDialog({ terms, onClose }: FeeTermsDialogProps): React.JSX.Element {
  const { marketplace, plans } = terms;
  const [plan, setPlan] = useState(terms.plan);
  const [salesTax, setSalesTax] = useState(textOf(terms.salesTax));
  const [adShare, setAdShare] = useState(textOf(terms.adShare));
  const [returnShare, setReturnShare] = useState(textOf(terms.returnShare));
  const [isSubmitted, setSubmitted] = useState(false);
  const save = useSaveFeeTerms(marketplace);
  const isUsable = isBlank(salesTax) || isShareUpTo(30, salesTax);
  const submit = (): void => {
    setSubmitted(true);
    if (!isUsable || problemWith(adShare) !== undefined || problemWith(returnShare) !== undefined) {
      focusFirstError();
      return;
    }
    save.mutate(
      {
        plan,
        salesTax: readShare(salesTax),
        adShare: readShare(adShare),
        returnShare: readShare(returnShare),
      },
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
          label="Sales tax"
          unit="%"
          hint={`Some fees are charged on the total with sales tax, which differs from state to state. Margins hold on average over all states. ${unenteredText(terms)}`}
          error={isSubmitted && !isUsable ? 'Enter 0 to 30, or leave it blank' : undefined}
          value={salesTax}
          onChange={(event) => setSalesTax(event.target.value)}
        />
        <NumberField
          label="Advertising"
          unit="%"
          hint={`Share of what buyers pay, counted in margin floors; a listing may have its own. Leave blank to count none.${learnedText(terms.learned?.adShare)}`}
          error={isSubmitted ? problemWith(adShare) : undefined}
          value={adShare}
          onChange={(event) => setAdShare(event.target.value)}
        />
        <NumberField
          label="Returns"
          unit="%"
          hint={`What returns cost you, as a share of what buyers pay. Leave blank to count none.${learnedText(terms.learned?.returnShare)}`}
          error={isSubmitted ? problemWith(returnShare) : undefined}
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
function readShare(text: string): string | null {
  return isBlank(text) ? null : typedPercent(text);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function isShareUpTo(highest: number, text: string): boolean {
  const share = readShare(text);
  return share !== null && Number(share) >= 0 && Number(share) <= highest;
}

/** What counts with a blank field. */
function unenteredText({ learnedSalesTax, learnedFromOrders }: FeeTermsView): string {
  const salesTaxSource = learnedSalesTax === null ? 'assumed' : 'learned';
  const countedSalesTax = learnedSalesTax ?? decimalFromBps(ASSUMED_SALES_TAX);
  const share = salesTaxText({ countedSalesTax, salesTaxSource, learnedFromOrders });
  const later = learnedSalesTax === null ? ', until 30 of your own orders were settled' : '';
  return `Leave blank for ${share}${later}.`;
}

function problemWith(text: string): string | undefined {
  return isBlank(text) || isShareUpTo(99.99, text) ? undefined : 'Enter 0 to 99.99, or leave it blank';
}

function learnedText(share: string | null | undefined): string {
  return share == null ? '' : ` In the last 90 days it was ${shortPercent(share)}%.`;
}
