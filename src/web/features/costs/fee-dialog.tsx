import { useState } from 'react';
import type { FeeImpact, FeeScheduleView, FeeTermsView } from '#contract/fees.ts';
import { bpsFromDecimal } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { BandEditor } from './band-editor.tsx';
import { FeeCalculator } from './fee-calculator.tsx';
import { emptyFees, type FeeFields, type FeeReading, fieldsOf, readFees } from './fee-form.ts';
import { FeeImpactPanel } from './fee-impact-panel.tsx';
import { useFeeImpact, useSaveFees } from './fee-queries.ts';

const MARKETPLACE_OPTIONS = MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] }));

type FeeDialogProps = {
  /** The schedule to edit; null to add one. */
  schedule: FeeScheduleView | null;
  prefill: { marketplace: Marketplace; category: string | null };
  /** Categories of the listings, as options. */
  categories: readonly string[];
  /** The sales tax of each marketplace, for the calculator. */
  salesTax: readonly Pick<FeeTermsView, 'marketplace' | 'countedSalesTax'>[];
  onClose: () => void;
};

/** Adds or edits a fee schedule: a calculator next to it, and its impact before saving. */
export function FeeDialog(props: FeeDialogProps): React.JSX.Element {
  const { schedule, prefill, categories, salesTax, onClose } = props;
  const [fields, setFields] = useState(() =>
    schedule === null ? emptyFees(prefill.marketplace, prefill.category) : fieldsOf(schedule),
  );
  const terms = salesTax.find(({ marketplace }) => marketplace === fields.marketplace);
  const [isSubmitted, setSubmitted] = useState(false);
  const impact = useFeeImpact();
  const save = useSaveFees();
  const reading = readFees(fields, schedule);
  const id = schedule?.id ?? null;
  const change = (next: FeeFields): void => {
    setFields(next);
    // An impact calculated for other fees must not be shown with these.
    impact.reset();
    save.reset();
  };
  const submit = (): void => {
    setSubmitted(true);
    if (reading.form === null) focusFirstError();
    else if (impact.data === undefined) impact.mutate({ id, schedule: reading.form });
    else {
      save.mutate(
        { id, form: reading.form },
        {
          onSuccess: () => {
            toast('Fees saved', 'Repricing the affected listings.');
            onClose();
          },
        },
      );
    }
  };
  const failure = impact.error ?? save.error;
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={schedule === null ? 'Add fee schedule' : 'Edit fee schedule'}
      description="What the marketplace charges per sale. Check the impact before you save."
      onSubmit={submit}
      footer={
        <Footer
          impact={impact.data}
          isChecking={impact.isPending}
          isSaving={save.isPending}
          onClose={onClose}
        />
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_18rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <PlaceFields fields={fields} categories={categories} reading={reading} onChange={change} />
          <BandEditor fields={fields} errors={isSubmitted ? reading.errors : {}} onChange={change} />
          {isSubmitted && reading.problem !== null && (
            <Callout tone="danger" role="alert" title="Fix the fee bands">
              <p className="text-fg-muted">{reading.problem}</p>
            </Callout>
          )}
        </div>
        <FeeCalculator
          schedule={reading.schedule}
          salesTax={terms === undefined ? null : bpsFromDecimal(terms.countedSalesTax)}
        />
      </div>
      {impact.data !== undefined && <FeeImpactPanel impact={impact.data} />}
      {failure !== null && (
        <Callout tone="danger" role="alert" title="Could not save the fees" className="mt-4">
          <p className="text-fg-muted">{errorText(failure)}</p>
        </Callout>
      )}
    </Dialog>
  );
}

type FooterProps = {
  impact: FeeImpact | undefined;
  isChecking: boolean;
  isSaving: boolean;
  onClose: () => void;
};

function Footer({ impact, isChecking, isSaving, onClose }: FooterProps): React.JSX.Element {
  return (
    <>
      <Button look="outline" onClick={onClose}>
        Cancel
      </Button>
      {impact === undefined ? (
        <Button type="submit" pending={isChecking} pendingText="Checking...">
          Check impact
        </Button>
      ) : (
        <Button type="submit" pending={isSaving} pendingText="Saving...">
          Save fees
        </Button>
      )}
    </>
  );
}

type PlaceFieldsProps = {
  fields: FeeFields;
  categories: readonly string[];
  reading: FeeReading;
  onChange: (fields: FeeFields) => void;
};

function PlaceFields({ fields, categories, reading, onChange }: PlaceFieldsProps): React.JSX.Element {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SelectField
        label="Marketplace"
        options={MARKETPLACE_OPTIONS}
        value={fields.marketplace}
        onChange={(marketplace) => onChange({ ...fields, marketplace })}
      />
      <TextField
        label="Fee category"
        hint="Leave blank for listings without a category."
        list="fee-categories"
        autoComplete="off"
        error={reading.errors.category}
        value={fields.category}
        onChange={(event) => onChange({ ...fields, category: event.target.value })}
      />
      <datalist id="fee-categories">
        {categories.map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
      <TextField
        label="Effective from"
        hint="Leave blank for no start date. Days start at 00:00 UTC."
        type="date"
        value={fields.startsOn}
        onChange={(event) => onChange({ ...fields, startsOn: event.target.value })}
      />
    </div>
  );
}
