import type { Import, Readings } from '#contract/imports.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import type { ImportDraft } from './import-draft.ts';

type DecimalMarkProps = {
  imported: Import;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

/** How the file writes its numbers, where it was found out or answered; asked, with its own examples, where they contradict each other or are unclear. */
export function DecimalMark({ imported, draft, onChange }: DecimalMarkProps): React.JSX.Element | null {
  const isRequested = imported.questions.includes('decimalMark');
  const { decimalMark } = draft.readings;
  if (!isRequested && decimalMark === undefined) return null;
  const { error, hint } = questionOf(imported.numbers);
  return (
    <SelectField
      label="Numbers in this file"
      fieldClassName="md:w-96"
      options={[
        ...(decimalMark === undefined ? [{ value: '', label: 'Choose how numbers are written' }] : []),
        ...optionsFor(imported.numbers),
      ]}
      value={decimalMark ?? ''}
      hint={hint}
      error={decimalMark === undefined ? error : undefined}
      onChange={(mark) => {
        const chosen = mark === 'comma' || mark === 'point' ? mark : undefined;
        onChange({ readings: { ...draft.readings, decimalMark: chosen } });
      }}
    />
  );
}

type Mark = NonNullable<Readings['decimalMark']>;
type Numbers = Import['numbers'];

function optionsFor({ either, comma, point }: Numbers): { value: Mark; label: string }[] {
  if (either === null || (comma !== null && point !== null)) {
    return [
      { value: 'comma', label: '1.299,00: a comma before the cents' },
      { value: 'point', label: '1,299.00: a point before the cents' },
    ];
  }
  const { text } = either;
  const [thousands, decimals] = [text.replace(/[.,]/, ''), text.replace(',', '.')];
  const [isGrouped, isDecimal] = text.includes(',')
    ? (['point', 'comma'] as const)
    : (['comma', 'point'] as const);
  return [
    { value: isGrouped, label: `${text} is ${thousands} (thousands ${isDecimal})` },
    { value: isDecimal, label: `${text} is ${decimals} (decimal ${isDecimal})` },
  ];
}

/** What is unclear, and where; what happens to rows that are written in the other way. */
function questionOf({ either, comma, point }: Numbers): { error: string; hint: string } {
  const hint = 'Rows with other number formats are rejected.';
  if (comma !== null && point !== null) {
    return {
      error: `The file has numbers of both kinds: ${comma.text} in line ${comma.line}, ${point.text} in line ${point.line}`,
      hint,
    };
  }
  if (either === null) return { error: 'Choose how numbers are written', hint };
  return { error: `${either.text} in line ${either.line} can be read in two ways`, hint };
}
