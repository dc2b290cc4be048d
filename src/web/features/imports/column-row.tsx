import { CircleCheck, CircleHelp } from 'lucide-react';
import { type Import, SEEN_AT_UPLOAD } from '#contract/imports.ts';
import { FULFILLMENT_TYPES, MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { formatCount } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { SelectField, type SelectOption } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { type ImportDraft, withoutReadings } from './import-draft.ts';
import { ReadingFields } from './reading-fields.tsx';

const NONE = 'none';

/** Columns for which one value may hold for a whole file, with the values there are. */
const CHOICES: Readonly<Record<string, readonly SelectOption[]>> = {
  marketplace: MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] })),
  fulfillmentType: FULFILLMENT_TYPES.map((value) => ({ value, label: value })),
  seenAt: [{ value: SEEN_AT_UPLOAD, label: 'Detected when the file was uploaded' }],
};

type ColumnRowProps = {
  column: Import['columns'][number];
  imported: Import;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

/** One of our columns: which column of the file it comes from, or which value holds where the file has none. */
export function ColumnRow({ column, imported, draft, onChange }: ColumnRowProps): React.JSX.Element {
  const { name, label, isRequired, hint } = column;
  const at = draft.mapping[name] ?? null;
  const options = [
    { value: NONE, label: 'Not in the file' },
    ...imported.header.map((heading, index) => ({
      value: String(index),
      label: heading || `Column ${index + 1}`,
    })),
  ];
  const cells = at === null ? [] : imported.preview.map((row) => (row[at] ?? '').trim());
  const samples = [...new Set(cells.filter((cell) => cell !== ''))].slice(0, 3);
  const filled = at === null ? undefined : imported.samples[at]?.filled;
  const { rows } = imported.layout;
  const asks = at === null && (name in CHOICES || name in imported.defaults);
  const isGuess = at === (imported.mapping[name] ?? null) && imported.guessed.includes(name);
  const isMissing = isRequired && at === null && !draft.defaults[name]?.trim();
  return (
    <li className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[14rem_1fr_1fr]">
      <div className="min-w-0">
        <p className="font-medium break-words">
          {label}
          {isRequired && <span className="ml-2 text-sm font-normal text-fg-muted">required</span>}
          {isGuess && (
            <span className="ml-2 inline-flex align-middle">
              {imported.confidence[name] === 'likely' ? (
                <Badge tone="info" icon={CircleCheck}>
                  Likely
                </Badge>
              ) : (
                <Badge tone="warning" icon={CircleHelp}>
                  Guess
                </Badge>
              )}
            </span>
          )}
        </p>
        <p className="text-sm text-fg-muted">{hint}</p>
      </div>
      <SelectField
        label={`Column of the file for ${label}`}
        hideLabel
        options={options}
        value={at === null ? NONE : String(at)}
        onChange={(value) =>
          onChange({
            mapping: { ...draft.mapping, [name]: value === NONE ? null : Number(value) },
            // What was said of another column says nothing of this one.
            readings: withoutReadings(name, draft.readings),
          })
        }
        error={isMissing ? `Choose a column${asks ? ' or a value' : ''} for ${label}` : undefined}
      />
      <div className="min-w-0">
        {asks && <ValueForEveryRow name={name} label={label} draft={draft} onChange={onChange} />}
        {at !== null && (
          <ReadingFields name={name} at={at} imported={imported} draft={draft} onChange={onChange} />
        )}
        {samples.length > 0 && (
          <ul aria-label={`First values for ${label}`} className="flex flex-wrap gap-1 md:pt-2">
            {samples.map((cell) => (
              <li
                key={cell}
                className="max-w-full truncate rounded-sm border bg-hover px-1.5 font-mono text-sm"
              >
                {cell}
              </li>
            ))}
          </ul>
        )}
        {filled !== undefined && rows !== null && filled < rows && (
          <p className="pt-1 text-sm text-fg-muted">
            {formatCount(filled)} of {formatCount(rows)} rows have a value
          </p>
        )}
      </div>
    </li>
  );
}

type ValueProps = {
  name: string;
  label: string;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

function ValueForEveryRow({ name, label: column, draft, onChange }: ValueProps): React.JSX.Element {
  const value = draft.defaults[name] ?? '';
  const set = (next: string): void => onChange({ defaults: { ...draft.defaults, [name]: next } });
  const label = `${column} of every row`;
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
      options={[{ value: '', label: `Choose ${column} for every row` }, ...choices]}
      value={value}
      onChange={set}
    />
  );
}
