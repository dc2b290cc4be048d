import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { type CheckedBundles, MOST_BUNDLE_BYTES } from '#contract/bundles.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { dismissToasts, toast } from '#web/lib/use-toast.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { refusalText } from './bundles-text.ts';
import { useCheckFile, useImportBundles } from './queries.ts';

const IMPORT_FAILED = 'Failed to import bundles. Please check your CSV format.';
/** So many mistakes fit into the message; all of them stand on the page. */
const MAX_SHOWN = 3;

/** Bundles from a file: it is read when it is chosen, and written as a whole or not at all. */
export function ImportCard(): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [isTouched, setTouched] = useState(false);
  const check = useCheckFile();
  const write = useImportBundles();
  const fault = faultOf(file);
  const choose = (chosen: File | null): void => {
    setFile(chosen);
    setTouched(chosen !== null);
    check.reset();
    if (chosen !== null && faultOf(chosen) === null) check.mutate(chosen);
  };
  const clear = (): void => {
    choose(null);
    if (input.current !== null) input.current.value = '';
  };
  const submit = async (): Promise<void> => {
    setTouched(true);
    if (file === null || fault !== null) return focusFirstError();
    dismissToasts();
    try {
      const { components, errors, errorCount } = check.data ?? (await check.mutateAsync(file));
      if (errorCount > 0) toast('CSV validation errors', firstErrors(errors, errorCount), 'destructive');
      else if (components.length === 0) {
        toast('No data to import', 'The CSV file contains no valid bundle configurations.', 'destructive');
      } else {
        const stored = await write.mutateAsync(components);
        toast('Bundles imported', `Successfully imported ${formatCount(stored.length)} bundle components.`);
        clear();
      }
    } catch (error) {
      toast('Import failed', refusalText(error, IMPORT_FAILED), 'destructive');
    }
  };
  return (
    <Card className="flex min-w-0 flex-col gap-4 md:p-6">
      <h2 className="text-lg font-semibold">CSV Bulk Import</h2>
      <Field
        label="CSV file"
        hint="Columns listing_sku, component_sku and quantity. All components of each bundle in it are replaced."
        error={isTouched && fault !== null ? fault : undefined}
      >
        {(links) => (
          <input
            {...links}
            ref={input}
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => choose(event.target.files?.item(0) ?? null)}
            className="w-full min-w-0 rounded-md border border-border-control bg-surface text-fg-muted file:mr-3 file:h-11 file:cursor-pointer file:border-0 file:border-r file:border-border-control file:bg-canvas file:px-3 file:font-medium file:text-fg aria-invalid:border-danger-text md:file:h-10"
          />
        )}
      </Field>
      <FileReport check={check.data} problem={check.error} isChecking={check.isPending} />
      <div className="flex flex-wrap gap-2">
        <Button
          size="large"
          onClick={() => void submit()}
          pending={write.isPending || check.isPending}
          pendingText={write.isPending ? 'Importing...' : 'Reading...'}
        >
          Import
        </Button>
        <a
          href="/api/imports/template/bundles.csv"
          download
          className={buttonClasses({ look: 'outline', size: 'large' })}
        >
          <Download aria-hidden />
          Template
        </a>
      </div>
      <p className="text-sm text-fg-muted">
        For files above 1 MB, other column names, or to import only the valid rows:{' '}
        <Link
          to="/imports/new"
          search={{ kind: 'bundles' }}
          className="text-link underline underline-offset-2"
        >
          import step by step
        </Link>
        .
      </p>
    </Card>
  );
}

/** What is wrong with a file before it is sent; null when nothing is. */
function faultOf(file: File | null): string | null {
  if (file === null) return 'Please select a file';
  if (!file.name.toLowerCase().endsWith('.csv')) return 'Please upload a CSV file';
  if (file.size > MOST_BUNDLE_BYTES) return 'This file is larger than 1 MB. Import it step by step, below.';
  return null;
}

/** "Line 2: Missing required fields; Line 5: ...; Line 9: ...; ..." */
function firstErrors(errors: readonly string[], count: number): string {
  const shown = errors.slice(0, MAX_SHOWN);
  return [...shown, ...(count > shown.length ? ['...'] : [])].join('; ');
}

type FileReportProps = { check: CheckedBundles | undefined; problem: Error | null; isChecking: boolean };

function FileReport({ check, problem, isChecking }: FileReportProps): React.JSX.Element | null {
  if (problem !== null) {
    return (
      <Callout tone="danger" role="alert" title="Could not read the file">
        <p className="text-fg-muted wrap-anywhere">{refusalText(problem, IMPORT_FAILED)}</p>
      </Callout>
    );
  }
  if (check === undefined || isChecking) return null;
  const { errors, errorCount, components, bundles, replaced, preview } = check;
  if (errorCount > 0) {
    return (
      <Callout
        tone="danger"
        role="alert"
        title={`${countOf(errorCount, 'row needs', 'rows need')} correction`}
      >
        <p className="text-fg-muted">Nothing is imported until every row is valid.</p>
        <ul className="mt-2 max-h-48 overflow-y-auto text-sm wrap-anywhere">
          {errors.map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
        {errorCount > errors.length && (
          <p className="text-sm text-fg-muted">and {formatCount(errorCount - errors.length)} more</p>
        )}
      </Callout>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <p role="status">
        {countOf(bundles, 'bundle', 'bundles')} with {countOf(components.length, 'component', 'components')}.{' '}
        {replaced > 0 && `${countOf(replaced, 'stored bundle is', 'stored bundles are')} replaced.`}
      </p>
      {preview.length > 0 && <PreviewTable preview={preview} />}
    </div>
  );
}

function PreviewTable({ preview }: Pick<CheckedBundles, 'preview'>): React.JSX.Element {
  return (
    <PlainTable caption="The first rows of the file">
      <thead>
        <tr>
          <HeadCell>listing_sku</HeadCell>
          <HeadCell>component_sku</HeadCell>
          <HeadCell numeric>quantity</HeadCell>
        </tr>
      </thead>
      <tbody>
        {preview.map(({ line, listingSku, sku, quantity }) => (
          <tr key={line}>
            <Cell className="font-mono">{listingSku}</Cell>
            <Cell className="font-mono">{sku}</Cell>
            <Cell numeric>{quantity}</Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
