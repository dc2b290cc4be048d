import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { CostFieldsForm } from '#contract/edit-impact.ts';
import type { LimitChangesForm } from '#contract/limit-plan.ts';
import type { ListingFieldsForm, ListingRow, ListingSelection } from '#contract/listings.ts';
import { RuleList } from '#contract/rules.ts';
import { useAddressedDialog } from '#web/lib/addressed-dialog.ts';
import { call, errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { type CostSince, CostSinceField, sinceOf, useCostSince } from '#web/ui/costs/cost-since.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { EditImpactPanel, useEditImpact } from './edit-impact-panel.tsx';
import {
  AMOUNT_FIELDS,
  type AmountField,
  DATED_FIELDS,
  DAY_FIELDS,
  type DayField,
  type FieldName,
  type FieldTexts,
  FLOOR_FIELDS,
  PERCENT_FIELDS,
  type PercentField,
  type ReadFields,
  readFields,
  TEXT_FIELDS,
  type TextName,
  textsOf,
} from './fields-form.ts';
import { LIMIT_NAMES, type LimitName, type LimitTexts, NEW_LIMIT, readLimits } from './limit-form.ts';
import { LimitInput } from './limit-input.tsx';
import { LimitsPreview } from './limits-preview.tsx';
import type { ActionTarget } from './listings-screen.ts';
import { useBulkAction } from './use-bulk-actions.ts';
import { useSaveLimits } from './use-edit-listing.ts';

type FieldsDialogProps = {
  target: ActionTarget;
  /** For many: the field that is selected initially. */
  ticked?: FieldName | undefined;
  onClose: () => void;
};

/** Limits, rule and fees of one listing, or of many: then only the selected fields are set. */
export function FieldsDialog({ target, ticked, onClose }: FieldsDialogProps): React.JSX.Element {
  return target.row === null ? (
    <ManyFields target={target} ticked={ticked} onClose={onClose} />
  ) : (
    <OneListing row={target.row} onClose={onClose} />
  );
}

function OneListing({ row, onClose }: { row: ListingRow; onClose: () => void }): React.JSX.Element {
  const edit = useSaveLimits(row);
  const start = textsOf(row);
  const save = (fields: ListingFieldsForm): void => {
    if (Object.keys(fields).length === 0) {
      onClose();
      return;
    }
    edit.mutate(fields, { onSuccess: onClose });
  };
  return (
    <FieldsForm
      title={`Limits of ${row.sku}`}
      description="Prices stay between these limits and above the margin floor."
      action="Save limits"
      start={start}
      isMany={false}
      selection={{ ids: [row.id] }}
      onSend={save}
      isSending={edit.isPending}
      error={edit.error}
      onClose={onClose}
    />
  );
}

function ManyFields({ target, ticked, onClose }: FieldsDialogProps): React.JSX.Element {
  const action = useBulkAction<{ fields: ListingFieldsForm }>({
    path: '/api/listings/edit',
    title: 'Fields saved',
  });
  const what = countOf(target.count, 'listing', 'listings');
  const { history } = useRouter();
  const [draft, setDraft] = useState(() => draftOf(ticked));
  const [wanted, setWanted] = useState<LimitChangesForm | null>(null);
  const [isDraftLost, setDraftLost] = useState(false);
  const preview = useAddressedDialog(
    'preview',
    (value) => (value === '1' && wanted !== null ? wanted : undefined),
    () => setDraftLost(true),
  );
  if (preview.about !== null) {
    return (
      <LimitsPreview
        target={target}
        limits={preview.about}
        // The form is the previous step: Back and its button lead there.
        onBack={() => history.back()}
        onClose={onClose}
      />
    );
  }
  return (
    <FieldsForm
      title={`Set fields of ${what}`}
      description="Select the fields to change. Other fields keep their values."
      action={`Save ${what}`}
      start={draft.texts}
      startLimits={draft.limits}
      isMany
      selection={target.selection}
      isDraftLost={isDraftLost}
      onSend={(fields) => action.mutate({ target, extra: { fields } })}
      onPreview={(limits, typed) => {
        setDraft(typed);
        setWanted(limits);
        setDraftLost(false);
        preview.open();
      }}
      isSending={action.isPending}
      error={isDeclined(action.error) ? null : action.error}
      onClose={onClose}
    />
  );
}

type LimitDrafts = Readonly<Partial<Record<LimitName, LimitTexts>>>;
/** The typed text, to return to. */
interface FormDraft {
  readonly texts: FieldTexts;
  readonly limits: LimitDrafts;
}

function draftOf(ticked: FieldName | undefined): FormDraft {
  const limit = LIMIT_NAMES.find((name) => name === ticked);
  if (limit !== undefined) return { texts: {}, limits: { [limit]: NEW_LIMIT } };
  return { texts: ticked === undefined ? {} : { [ticked]: '' }, limits: {} };
}

type FieldsFormProps = {
  title: string;
  description: string;
  action: string;
  start: FieldTexts;
  /** Each field has a checkbox; without it the field is not changed. */
  isMany: boolean;
  /** What edited costs of these change is shown before. */
  selection: ListingSelection;
  onSend: (fields: ListingFieldsForm) => void;
  /** For many: limits are previewed before they are set. */
  onPreview?: (limits: LimitChangesForm, typed: FormDraft) => void;
  startLimits?: LimitDrafts;
  /** The preview was opened by its address, which does not contain the typed text. */
  isDraftLost?: boolean;
  isSending: boolean;
  error: Error | null;
  onClose: () => void;
};

function FieldsForm(props: FieldsFormProps): React.JSX.Element {
  const { start, isMany, onPreview, startLimits = {} } = props;
  const [texts, setTexts] = useState<FieldTexts>(start);
  const [limits, setLimits] = useState<LimitDrafts>(startLimits);
  const [isSent, setSent] = useState(false);
  const changed: FieldTexts = isMany
    ? texts
    : Object.fromEntries(Object.entries(texts).filter(([name, text]) => text !== start[name as FieldName]));
  const wanted = readLimits(limits);
  const since = useCostSince();
  const isDated = DATED_FIELDS.some((name) => changed[name] !== undefined);
  const impact = useEditImpact(props.selection, impactOf(readFields(changed), isDated ? since : null));
  const problems = { ...readFields(texts).problems, ...wanted.problems };
  const hasLimits = Object.keys(limits).length > 0;
  const isNothing = isMany && Object.keys(changed).length === 0 && !hasLimits;
  // Limits depend on costs, fees and rule: set together, their order would be unclear.
  const isMixed = hasLimits && Object.keys(changed).length > 0;
  const send = (): void => {
    setSent(true);
    if (Object.keys(problems).length > 0 || isNothing || isMixed) return;
    if (hasLimits) onPreview?.(wanted.limits, { texts, limits });
    else props.onSend({ ...readFields(changed).fields, ...(isDated ? sinceOf(since) : {}) });
  };
  const field = (name: FieldName): FieldState => ({
    text: texts[name],
    problem: isSent ? problems[name] : undefined,
    isMany,
    set: (text) =>
      setTexts(({ [name]: _, ...others }) => (text === undefined ? others : { ...others, [name]: text })),
  });
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={props.title}
      description={props.description}
      onSubmit={send}
      footer={
        <>
          <Button look="outline" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            pending={props.isSending}
            pendingText="Saving..."
            disabled={impact.isPending && !impact.isLate}
          >
            {hasLimits ? 'Preview limits' : props.action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {props.error !== null && <Callout tone="danger" role="alert" title={errorText(props.error)} />}
        {isSent && isNothing && (
          <Callout tone="info" role="alert" title="Select at least one field to change." />
        )}
        {isSent && isMixed && <MixedCallout />}
        {!isSent && props.isDraftLost === true && <DraftLostCallout />}
        <div className="grid gap-4 sm:grid-cols-2">
          {isMany &&
            LIMIT_NAMES.map((name) => (
              <ManyLimit
                key={name}
                name={name}
                limit={limits[name]}
                problem={isSent ? problems[name] : undefined}
                set={(limit) =>
                  setLimits(({ [name]: _, ...others }) =>
                    limit === undefined ? others : { ...others, [name]: limit },
                  )
                }
              />
            ))}
          {(Object.keys(AMOUNT_FIELDS) as AmountField[])
            .filter((name) => !isMany || !LIMIT_NAMES.some((limit) => limit === name))
            .map((name) => (
              <AmountInput key={name} name={name} field={field(name)} />
            ))}
          {(Object.keys(PERCENT_FIELDS) as PercentField[]).map((name) => (
            <PercentInput key={name} name={name} field={field(name)} />
          ))}
          {(Object.keys(DAY_FIELDS) as DayField[]).map((name) => (
            <DayInput key={name} name={name} field={field(name)} />
          ))}
          {(Object.keys(TEXT_FIELDS) as TextName[]).map((name) => (
            <TextInput key={name} name={name} field={field(name)} />
          ))}
          <RuleChoice field={field('ruleId')} />
        </div>
        {isDated && <CostSinceField since={since} />}
        <EditImpactPanel impact={impact} />
      </div>
    </Dialog>
  );
}

/**
 * The question what edited costs change; null without one, and while a field cannot be read.
 * @param since null where none of them has a date
 */
function impactOf({ fields, problems }: ReadFields, since: CostSince | null): CostFieldsForm | null {
  const movesFloors = FLOOR_FIELDS.some((name) => fields[name] !== undefined);
  if (!movesFloors || Object.keys(problems).length > 0) return null;
  const {
    shippingCost,
    shippingCharge,
    fulfillmentCost,
    feeCategory,
    feeRate,
    adShare,
    returnShare,
    ruleId,
  } = fields;
  const costs = { shippingCost, shippingCharge, fulfillmentCost, feeCategory, feeRate, adShare, returnShare };
  return { ...costs, ruleId, ...(since === null ? {} : sinceOf(since)) };
}

function MixedCallout(): React.JSX.Element {
  return (
    <Callout
      tone="info"
      role="alert"
      title="Set minimum and maximum prices on their own: clear the other fields, save, then set the limits."
    />
  );
}

function DraftLostCallout(): React.JSX.Element {
  return (
    <Callout
      tone="info"
      role="status"
      title="The page was reloaded, so the preview was lost. Enter the limits again."
    />
  );
}

interface FieldState {
  /** Undefined: the field is not changed. */
  readonly text: string | undefined;
  readonly problem: string | undefined;
  readonly isMany: boolean;
  readonly set: (text: string | undefined) => void;
}

/** For many listings a checkbox decides whether a field is set at all. */
function Optional(props: { label: string; field: FieldState; children: React.ReactNode }): React.JSX.Element {
  const { label, field, children } = props;
  if (!field.isMany) return <div>{children}</div>;
  const isOn = field.text !== undefined;
  return (
    <div>
      <Checkbox label={`Set ${label}`} checked={isOn} onChange={(on) => field.set(on ? '' : undefined)} />
      {isOn && children}
    </div>
  );
}

function AmountInput({ name, field }: { name: AmountField; field: FieldState }): React.JSX.Element {
  const { label, hint } = AMOUNT_FIELDS[name];
  return (
    <Optional label={label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())} field={field}>
      <NumberField
        label={label}
        hideLabel={field.isMany}
        unit="$"
        hint={hint}
        value={field.text ?? ''}
        onChange={(event) => field.set(event.target.value)}
        error={field.problem}
      />
    </Optional>
  );
}

function PercentInput({ name, field }: { name: PercentField; field: FieldState }): React.JSX.Element {
  const { label, hint } = PERCENT_FIELDS[name];
  return (
    <Optional label={label.toLowerCase()} field={field}>
      <NumberField
        label={label}
        hideLabel={field.isMany}
        unit="%"
        hint={hint}
        value={field.text ?? ''}
        onChange={(event) => field.set(event.target.value)}
        error={field.problem}
      />
    </Optional>
  );
}

type ManyLimitProps = {
  name: LimitName;
  /** Undefined: the limit is not changed. */
  limit: LimitTexts | undefined;
  problem: string | undefined;
  set: (limit: LimitTexts | undefined) => void;
};

function ManyLimit({ name, limit, problem, set }: ManyLimitProps): React.JSX.Element {
  const { label } = AMOUNT_FIELDS[name];
  return (
    <div>
      <Checkbox
        label={`Set ${label.toLowerCase()}`}
        checked={limit !== undefined}
        onChange={(on) => set(on ? NEW_LIMIT : undefined)}
      />
      {limit !== undefined && (
        <LimitInput name={name} label={label} limit={limit} problem={problem} onChange={set} />
      )}
    </div>
  );
}

function DayInput({ name, field }: { name: DayField; field: FieldState }): React.JSX.Element {
  const { label, hint } = DAY_FIELDS[name];
  return (
    <Optional label={label} field={field}>
      <TextField
        label={label}
        hideLabel={field.isMany}
        hint={hint}
        maxLength={10}
        value={field.text ?? ''}
        onChange={(event) => field.set(event.target.value)}
        error={field.problem}
      />
    </Optional>
  );
}

function TextInput({ name, field }: { name: TextName; field: FieldState }): React.JSX.Element {
  const { label, hint } = TEXT_FIELDS[name];
  return (
    <Optional label={label.toLowerCase()} field={field}>
      <TextField
        label={label}
        hideLabel={field.isMany}
        hint={hint}
        maxLength={200}
        value={field.text ?? ''}
        onChange={(event) => field.set(event.target.value)}
        error={field.problem}
      />
    </Optional>
  );
}

function RuleChoice({ field }: { field: FieldState }): React.JSX.Element {
  const rules = useQuery({ queryKey: ['rules'], queryFn: () => call(RuleList, 'GET', '/api/rules') });
  const options = [
    { value: '', label: 'Automatic (most specific rule)' },
    ...(rules.data?.rules ?? []).map(({ id, name, isActive }) => ({
      value: id,
      label: isActive ? name : `${name} (paused)`,
    })),
  ];
  const isKnown = options.some(({ value }) => value === field.text);
  return (
    <Optional label="rule" field={field}>
      <SelectField
        label="Rule"
        hideLabel={field.isMany}
        hint="Only this rule prices the listing. While it is paused, the price does not change."
        options={
          isKnown || field.text === undefined
            ? options
            : [...options, { value: field.text, label: `Rule ${field.text}` }]
        }
        value={field.text ?? ''}
        onChange={field.set}
        error={rules.isError ? 'Failed to load the rules. Close this and try again.' : undefined}
      />
    </Optional>
  );
}
