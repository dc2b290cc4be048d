import { useEffect } from 'react';
import type { FieldErrors, FieldPath, UseFormReturn } from 'react-hook-form';
import { ApiError } from '#web/lib/api.ts';
import { fieldAt, type RuleDraft } from './rule-draft.ts';

/** Fields of the request without a field in the form: their errors are shown above it. */
const NOT_IN_FORM: readonly string[] = ['version', 'previewToken'];

/** Server errors are shown under their field, like those of the form. */
export function useServerErrors({ setError }: UseFormReturn<RuleDraft>, error: Error | null): void {
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    for (const [path, message] of Object.entries(error.fields)) {
      if (NOT_IN_FORM.includes(path)) continue;
      setError(fieldAt(path), { type: 'server', message }, { shouldFocus: true });
    }
  }, [error, setError]);
}

/** The error of a field; undefined if valid. */
export function errorAt(errors: FieldErrors<RuleDraft>, path: FieldPath<RuleDraft>): string | undefined {
  let node: unknown = errors;
  for (const name of path.split('.')) {
    if (typeof node !== 'object' || node === null) return undefined;
    node = (node as Record<string, unknown>)[name];
  }
  if (typeof node !== 'object' || node === null || !('message' in node)) return undefined;
  return typeof node.message === 'string' ? node.message : undefined;
}
