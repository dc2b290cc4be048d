import type { Import } from '#contract/imports.ts';
import { FULFILLMENT_TYPES, MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { WEIGHT_UNITS } from '#domain/weight-units.ts';
import { SelectField, type SelectOption } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { ImportDraft } from './import-draft.ts';

const NONE = 'none';

/** Columns for which one value may hold for a whole file, with the values there are. */
const CHOICES: Readonly<Record<string, readonly SelectOption[]>> = {
  marketplace: MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] })),
  fulfillmentType: FULFILLMENT_TYPES.map((value) => ({ value, label: value })),
};

const UNITS = [
  { value: 'oz', label: 'Ounces (oz)' },
  { value: 'lb', label: 'Pounds (lb), become ounces' },
  { value: 'kg', label: 'Kilograms (kg), become ounces' },
  { value: 'g', label: 'Grams (g), become ounces' },
] as const satisfies readonly SelectOption[];

type ColumnRowProps = {
  column: Import['columns'][number];
  imported: Import;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

/** One of our columns: which column of the file it comes from, or which value holds where the file has none. */
export function ColumnRow({ column, imported, draft, onChange }: ColumnRowProps): React.JSX.Element {
  const { name, isRequired, hint } = column;
  const at = draft.mapping[name] ?? null;
  const options = [
    { value: NONE, label: 'Not in the file' },
    ...imported.header.map((label, index) => ({
      value: String(index),
      label: label || `Column ${index + 1}`,
    })),
  ];
  const sample = at === null ? undefined : imported.preview.map((row) => row[at]).find((cell) => cell !== '');
  const asks = at === null && (name in CHOICES || name in imported.defaults);
  const isMissing = isRequired && at === null && !draft.defaults[name]?.trim();
  return (
    <li className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[14rem_1fr_1fr]">
      <div className="min-w-0">
        <p className="font-medium break-words">
          {name}
          {isRequired && <span className="ml-2 text-sm font-normal text-fg-muted">required</span>}
        </p>
        <p className="text-sm text-fg-muted">{hint}</p>
      </div>
      <SelectField
        label={`Column of the file for ${name}`}
        hideLabel
        options={options}
        value={at === null ? NONE : String(at)}
        onChange={(value) =>
          onChange({ mapping: { ...draft.mapping, [name]: value === NONE ? null : Number(value) } })
        }
        error={isMissing ? `Choose a column${asks ? ' or a value' : ''} for ${name}` : undefined}
      />
      <div className="min-w-0">
        {asks && <ValueForEveryRow name={name} draft={draft} onChange={onChange} />}
        {name === 'weight' && at !== null && <UnitOfWeights draft={draft} onChange={onChange} />}
        {sample !== undefined && (
          <p className="truncate text-sm text-fg-muted md:pt-2.5">
            Such as <span className="font-mono text-fg">{sample}</span>
          </p>
        )}
      </div>
    </li>
  );
}

/** In which unit the file has its weights. */
function UnitOfWeights({ draft, onChange }: Omit<ValueProps, 'name'>): React.JSX.Element {
  return (
    <SelectField
      label="Unit of the weights in the file"
      hideLabel
      options={UNITS}
      value={draft.readings.weightUnit ?? 'oz'}
      onChange={(value) => {
        const weightUnit = WEIGHT_UNITS.find((unit) => unit === value);
        onChange({ readings: { ...draft.readings, weightUnit } });
      }}
    />
  );
}

type ValueProps = { name: string; draft: ImportDraft; onChange: (patch: Partial<ImportDraft>) => void };

function ValueForEveryRow({ name, draft, onChange }: ValueProps): React.JSX.Element {
  const value = draft.defaults[name] ?? '';
  const set = (next: string): void => onChange({ defaults: { ...draft.defaults, [name]: next } });
  const label = `${name} of every row`;
  const choices = CHOICES[name];
  if (choices === undefined) {
    return (
      <TextField
        label={label}
        hideLabel
        placeholder={label}
        value={value}
        onChange={(event) => set(event.target.value)}
      />
    );
  }
  return (
    <SelectField
      label={label}
      hideLabel
      options={[{ value: '', label: `Choose ${name} for every row` }, ...choices]}
      value={value}
      onChange={set}
    />
  );
}
