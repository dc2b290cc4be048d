import { useRef } from 'react';
import type { Import } from '#contract/imports.ts';
import { errorText } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { countOf } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { useMapColumns } from '#web/ui/imports/import-calls.ts';
import { SOURCE_TEXT } from '#web/ui/imports/kinds.ts';
import { PreviewTable } from '#web/ui/imports/preview-table.tsx';
import { ErrorCallout } from '#web/ui/imports/report-parts.tsx';
import { RadioGroupField } from '#web/ui/radio-group-field.tsx';
import { ColumnRow } from './column-row.tsx';
import { DecimalMark } from './decimal-mark.tsx';
import { givenDefaults, type ImportDraft, isChanged, missingIn } from './import-draft.ts';

type ColumnsStepProps = {
  imported: Import;
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
};

/** Which column of the file is what. What is missing and required comes first. */
export function ColumnsStep({ imported, draft, onChange }: ColumnsStepProps): React.JSX.Element {
  const { set } = useUrlParams();
  const map = useMapColumns(imported.id);
  const list = useRef<HTMLDivElement>(null);
  const missing = missingIn(imported, draft);
  const check = (): void => {
    const isKnown =
      imported.state !== 'uploaded' && imported.state !== 'failed' && !isChanged(imported, draft);
    if (isKnown) {
      set({ step: 'check' });
      return;
    }
    map.mutate(
      { mapping: draft.mapping, defaults: givenDefaults(draft), readings: draft.readings },
      {
        onSuccess: (next) => {
          // What the server found out for these columns is no open question on the way back.
          onChange({ readings: next.readings });
          if (isClear(next)) set({ step: 'check' });
          // What is open may be far above or below the button.
          else if (list.current !== null) focusFirstError(list.current);
        },
      },
    );
  };
  // What was missing on arrival stays on top while it is being filled in: nothing jumps under the hand.
  const first = new Set(imported.missingColumns);
  const columns = [
    ...imported.columns.filter(({ name }) => first.has(name)),
    ...imported.columns.filter(({ name }) => !first.has(name)),
  ];
  return (
    <>
      <ErrorCallout imported={imported} />
      {missing.length > 0 && (
        <Callout
          tone="danger"
          title={`${countOf(missing.length, 'required column is', 'required columns are')} missing`}
        >
          <p className="text-fg-muted">
            Choose a column of your file for{' '}
            <strong className="text-fg">{labelsOf(imported, missing)}</strong>
            {', or set one value for every row where possible.'}
          </p>
        </Callout>
      )}
      <Card className="flex flex-col gap-4">
        <div>
          <h2 className="text-md font-semibold">Columns</h2>
          <p className="text-fg-muted">{aboutColumns(imported)}</p>
        </div>
        <div ref={list} className="flex flex-col gap-4">
          <ul aria-label="Columns" className="divide-y">
            {columns.map((column) => (
              <ColumnRow
                key={column.name}
                column={column}
                imported={imported}
                draft={draft}
                onChange={onChange}
              />
            ))}
          </ul>
          <DecimalMark imported={imported} draft={draft} onChange={onChange} />
        </div>
        {imported.kind === 'skus' && imported.source !== 'own' && (
          <KnownCosts draft={draft} onChange={onChange} />
        )}
        <IgnoredColumns imported={imported} draft={draft} />
        {map.isError && (
          <Callout tone="danger" role="alert" title="Could not save the columns">
            <p className="text-fg-muted">{errorText(map.error)} Your choices are kept.</p>
          </Callout>
        )}
        <div className="flex flex-wrap gap-2">
          <Button onClick={check} pending={map.isPending} pendingText="Saving...">
            Check file
          </Button>
        </div>
      </Card>
      <PreviewTable imported={imported} />
    </>
  );
}

/** Whether nothing is left to say before the check. */
function isClear({ missingColumns, questions }: Import): boolean {
  return missingColumns.length === 0 && questions.length === 0;
}

function labelsOf({ columns }: Import, names: readonly string[]): string {
  return names.map((name) => columns.find((column) => column.name === name)?.label ?? name).join(', ');
}

function aboutColumns({ source, guessed, remembered }: Import): string {
  const known = SOURCE_TEXT[source];
  if (remembered !== null) {
    return `As ${remembered.by} chose them on ${formatMoment(remembered.at, 'short')} for a file with the same headings. Change any that do not match.`;
  }
  if (known !== null) return `This is ${known}; its columns are known. Change any that do not match.`;
  if (guessed.length > 0) {
    return `${countOf(guessed.length, 'column is a guess', 'columns are guesses')}. Review each, then check the file. Your choice is remembered for files with the same headings.`;
  }
  return 'Columns are matched by name. Change any that do not match.';
}

/** Whether a marketplace's file may take the place of costs that were entered here. */
function KnownCosts({ draft, onChange }: Pick<ColumnsStepProps, 'draft' | 'onChange'>): React.JSX.Element {
  return (
    <RadioGroupField
      label="SKUs whose cost or weight you already entered"
      className="md:grid md:grid-cols-2"
      options={[
        {
          value: 'keep',
          label: 'Keep what I entered',
          hint: 'Only unknown costs and weights are filled in.',
        },
        { value: 'replace', label: 'Replace it', hint: 'The check shows each old and new value.' },
      ]}
      value={draft.readings.known ?? 'replace'}
      onChange={(known) =>
        onChange({ readings: { ...draft.readings, known: known === 'keep' ? 'keep' : 'replace' } })
      }
    />
  );
}

/** All of them are in the preview below. */
const MAX_IGNORED_SHOWN = 12;

function IgnoredColumns({ imported, draft }: Omit<ColumnsStepProps, 'onChange'>): React.JSX.Element | null {
  const used = new Set(Object.values(draft.mapping));
  // What the server always skips, such as our own column of errors, is not mentioned.
  const known = new Set([...imported.ignoredColumns, ...mappedNames(imported)]);
  const ignored = imported.header.filter((name, at) => name !== '' && !used.has(at) && known.has(name));
  if (ignored.length === 0) return null;
  return (
    <p className="text-fg-muted">
      Ignored {ignored.length === 1 ? 'column' : 'columns'}:{' '}
      <span className="text-fg">{ignored.slice(0, MAX_IGNORED_SHOWN).join(', ')}</span>
      {ignored.length > MAX_IGNORED_SHOWN && ` and ${ignored.length - MAX_IGNORED_SHOWN} more`}
    </p>
  );
}

function mappedNames({ mapping, header }: Import): string[] {
  return Object.values(mapping).flatMap((at) => (at === null ? [] : [header[at] ?? '']));
}
