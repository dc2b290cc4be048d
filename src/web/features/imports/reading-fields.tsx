import { type Import, MOMENT_COLUMNS, PERCENT_COLUMNS, WEIGHT_COLUMNS } from '#contract/imports.ts';
import { type DayOrder, type MomentShape, momentShape } from '#domain/written/day-order.ts';
import { WEIGHT_UNITS } from '#domain/written/weight-units.ts';
import { readersZone } from '#web/lib/moments.ts';
import { SelectField, type SelectOption } from '#web/ui/select-field.tsx';
import type { ImportDraft } from './import-draft.ts';

const WEIGHTS: ReadonlySet<string> = new Set(WEIGHT_COLUMNS);
const MOMENTS: ReadonlySet<string> = new Set(MOMENT_COLUMNS);
const PERCENTS: ReadonlySet<string> = new Set(PERCENT_COLUMNS);

const UNITS = [
  { value: 'oz', label: 'Ounces (oz)' },
  { value: 'lb', label: 'Pounds (lb), converted to ounces' },
  { value: 'kg', label: 'Kilograms (kg), converted to ounces' },
  { value: 'g', label: 'Grams (g), converted to ounces' },
] as const satisfies readonly SelectOption[];

/** Where most of our sellers are; the rest of the world follows. */
const NEAR_ZONES = [
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix'],
  ...['America/Los_Angeles', 'America/Anchorage', 'Pacific/Honolulu', 'UTC'],
];

type ReadingFieldsProps = {
  name: string;
  /** Position of the column in the file, from 0. */
  at: number;
  imported: Import;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

/** How the cells of one column are read, where the file does not say it itself. */
export function ReadingFields({
  name,
  at,
  imported,
  draft,
  onChange,
}: ReadingFieldsProps): React.JSX.Element | null {
  const { readings } = draft;
  const read = (patch: Partial<ImportDraft['readings']>): void =>
    onChange({ readings: { ...readings, ...patch } });
  if (WEIGHTS.has(name)) {
    const isRequested = imported.questions.includes('weightUnit') && readings.weightUnit === undefined;
    return (
      <SelectField
        label="Unit of the weights in the file"
        hideLabel
        options={isRequested ? [{ value: '', label: 'Choose the unit' }, ...UNITS] : UNITS}
        value={isRequested ? '' : (readings.weightUnit ?? 'oz')}
        error={isRequested ? 'Choose the unit of these weights' : undefined}
        onChange={(value) => read({ weightUnit: WEIGHT_UNITS.find((unit) => unit === value) })}
      />
    );
  }
  const small = imported.samples[at]?.small ?? null;
  const isOpenShare = imported.questions.includes('percentForm') || readings.percentForm !== undefined;
  if (PERCENTS.has(name) && isOpenShare && small !== null) {
    return (
      <PercentField
        example={small.text}
        value={readings.percentForm}
        onChange={(percentForm) => read({ percentForm })}
      />
    );
  }
  if (!MOMENTS.has(name)) return null;
  const shape = momentShape([
    ...imported.preview.map((row) => row[at] ?? ''),
    ...(imported.samples[at]?.days ?? []),
  ]);
  return (
    <>
      {shape.order !== null && (
        <DayOrderField shape={shape} value={readings.dayOrder} onChange={(dayOrder) => read({ dayOrder })} />
      )}
      {shape.lacksZone && <ZoneField value={readings.timeZone} onChange={(timeZone) => read({ timeZone })} />}
    </>
  );
}

type PercentForm = ImportDraft['readings']['percentForm'];
type PercentFieldProps = {
  /** A number below 1 as the file has it. */
  example: string;
  value: PercentForm;
  onChange: (form: PercentForm) => void;
};

/** Whether numbers below 1 are shares of 1 or small percentages. */
function PercentField({ example, value, onChange }: PercentFieldProps): React.JSX.Element {
  const percent = Number((Number(example.replace(',', '.')) * 100).toFixed(4));
  return (
    <SelectField
      label="How to read these percentages"
      hideLabel
      options={[
        ...(value === undefined ? [{ value: '', label: 'Choose how to read these percentages' }] : []),
        { value: 'share', label: `${example} is ${percent}%` },
        { value: 'percent', label: `${example} is ${example}%` },
      ]}
      value={value ?? ''}
      error={value === undefined ? 'These percentages can be read in two ways' : undefined}
      onChange={(form) => onChange(form === 'share' || form === 'percent' ? form : undefined)}
    />
  );
}

type DayOrderFieldProps = {
  shape: MomentShape;
  value: DayOrder | undefined;
  onChange: (order: DayOrder | undefined) => void;
};

/** Which number is the month, with the file's own example. */
function DayOrderField({ shape, value, onChange }: DayOrderFieldProps): React.JSX.Element {
  const [first = '3', second = '4'] = (shape.example ?? '').split(/[/.-]/);
  const named = (month: string, day: string): string =>
    `${MONTHS[Number(month) - 1] ?? `month ${month}`} ${Number(day)}`;
  const chosen = value ?? (shape.order === 'ask' ? undefined : (shape.order ?? undefined));
  return (
    <SelectField
      label="Which number is the month"
      hideLabel
      options={[
        ...(chosen === undefined ? [{ value: '', label: 'Choose how to read these dates' }] : []),
        { value: 'mdy', label: `Month first: ${first}/${second} is ${named(first, second)}` },
        { value: 'dmy', label: `Day first: ${first}/${second} is ${named(second, first)}` },
      ]}
      value={chosen ?? ''}
      error={chosen === undefined ? 'These dates can be read in two ways' : undefined}
      onChange={(order) => onChange(order === 'mdy' || order === 'dmy' ? order : undefined)}
    />
  );
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

type ZoneFieldProps = { value: string | undefined; onChange: (zone: string | undefined) => void };

/** In which time zone the clock was that wrote the times. */
function ZoneField({ value, onChange }: ZoneFieldProps): React.JSX.Element {
  const here = readersZone();
  const zones = [...new Set([here, ...NEAR_ZONES, ...Intl.supportedValuesOf('timeZone')])];
  return (
    <SelectField
      label="Time zone of these times"
      hideLabel
      options={[
        ...(value === undefined ? [{ value: '', label: 'Choose the time zone of these times' }] : []),
        ...zones.map((zone) => ({ value: zone, label: zone === here ? `${zone} (yours)` : zone })),
      ]}
      value={value ?? ''}
      error={value === undefined ? 'These times have no time zone' : undefined}
      onChange={(zone) => onChange(zone === '' ? undefined : zone)}
    />
  );
}
