import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError, errorText, serverText } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { similarQuery, useCreateSku } from './sku-calls.ts';
import { SkuFieldset } from './sku-fieldset.tsx';
import { type EditSkuField, EMPTY_SKU, readNewSku, type SkuErrors, type SkuField } from './sku-form.ts';

/** Milliseconds after the last keystroke before a code is looked up. */
const SETTLED_AFTER = 300;

type AddSkuDialogProps = {
  /** Called after a SKU was created: the list returns to page 1. */
  onCreated: () => void;
  onClose: () => void;
};

/** Adds one SKU, or several in a row. */
export function AddSkuDialog({ onCreated, onClose }: AddSkuDialogProps): React.JSX.Element {
  const form = useNewSku();
  const { create, texts } = form;
  const submit = (isMore: boolean): void =>
    form.send(() => {
      toast('SKU Created', 'SKU created successfully');
      onCreated();
      if (isMore) form.restart();
      else onClose();
    });
  const existing = refusedFor(create.error, texts.sku);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add SKU"
      description="Cost and weight of one product. Listings with this SKU use these costs."
      onSubmit={() => submit(false)}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button look="outline" onClick={() => submit(true)} aria-disabled={create.isPending || undefined}>
            Create and add another
          </Button>
          <Button type="submit" pending={create.isPending} pendingText="Creating...">
            Create SKU
          </Button>
        </>
      }
    >
      <SkuFieldset
        texts={texts}
        errors={form.errors}
        isStored={false}
        codeRef={form.code}
        codeNote={
          existing === null ? (
            <SimilarNote code={texts.sku.trim()} />
          ) : (
            <ExistingLink id={existing} code={texts.sku.trim()} />
          )
        }
        onChange={form.change}
        onLeave={form.leave}
      />
      {create.error !== null && existing === null && (
        <Callout tone="danger" role="alert" title="Could not create the SKU" className="mt-4">
          <p className="text-fg-muted">{errorText(create.error)}</p>
        </Callout>
      )}
    </Dialog>
  );
}

function ExistingLink({ id, code }: { id: string; code: string }): React.JSX.Element {
  return (
    <p className="mt-1 text-sm">
      <Link
        to="."
        search={(current: Record<string, unknown>) => ({ ...current, add: undefined, edit: id })}
        className="rounded-sm text-link underline"
      >
        Edit SKU {code} instead
      </Link>
    </p>
  );
}

/** Shown before creating: a separate SKU would be priced without the cost of the similar one. */
function SimilarNote({ code }: { code: string }): React.JSX.Element {
  const settled = useDebounced(code, SETTLED_AFTER);
  const { data = [] } = useQuery(similarQuery(settled));
  const isShown = settled === code && data.length > 0;
  const others = data.map((other) => `"${other}"`).join(', ');
  return (
    <p className="mt-1 text-sm text-warning-text" role="status">
      {isShown &&
        `You already have ${others}. Codes that differ only in case, spaces or an apostrophe are different SKUs.`}
    </p>
  );
}

/** The id of the SKU that already has this code, from the last response. */
function refusedFor(error: Error | null, code: string): string | null {
  if (!(error instanceof ApiError) || error.fields.existing === undefined) return null;
  return error.fields.sku?.includes(code.trim()) === true ? error.fields.existing : null;
}

/** The typed values, their errors, and the save. */
function useNewSku() {
  const [texts, setTexts] = useState(EMPTY_SKU);
  const [touched, setTouched] = useState<ReadonlySet<SkuField>>(new Set());
  const create = useCreateSku();
  const code = useRef<HTMLInputElement>(null);
  const reading = readNewSku(texts);
  const change: EditSkuField = (field, value) => {
    setTexts({ ...texts, [field]: value });
    if (create.error !== null) create.reset();
  };
  const refused = create.error instanceof ApiError ? create.error.fields : {};
  return {
    texts,
    create,
    code,
    errors: { ...fieldsOf(refused), ...only(reading.errors, touched) },
    change,
    leave: (field: SkuField): void => setTouched(new Set([...touched, field])),
    send: (onCreated: () => void): void => {
      if (create.isPending) return;
      setTouched(new Set(Object.keys(texts) as SkuField[]));
      if (reading.isMissing) toast('Validation Error', 'Please fill in all required fields', 'destructive');
      if (reading.form === null) {
        focusFirstError();
        return;
      }
      create.mutate(reading.form, {
        onSuccess: onCreated,
        onError: (error) => {
          toast('Error', serverText(error, 'Failed to create SKU'), 'destructive');
          focusFirstError();
        },
      });
    },
    /** Clears the form for the next one. */
    restart: (): void => {
      setTexts(EMPTY_SKU);
      setTouched(new Set());
      create.reset();
      code.current?.focus();
    },
  };
}

/** Errors appear after a field is left. */
function only(errors: SkuErrors, touched: ReadonlySet<SkuField>): SkuErrors {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => touched.has(field as SkuField)));
}

/** Server errors of fields in the form. */
function fieldsOf(refused: Readonly<Record<string, string>>): SkuErrors {
  return Object.fromEntries(Object.entries(refused).filter(([field]) => field in EMPTY_SKU));
}
