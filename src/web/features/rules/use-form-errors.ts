import { useEffect } from 'react';
import type { FieldErrors, FieldPath, UseFormReturn } from 'react-hook-form';
import { ApiError } from '#web/lib/api.ts';
import { fieldAt, type RuleDraft } from './rule-draft.ts';

/** Fields of the request that are no fields of the form: their refusals stand above it. */
const NOT_IN_FORM: readonly string[] = ['version', 'previewToken'];

/** What only the server can know about a field stands under that field, like what the page finds itself. */
export function useServerErrors({ setError }: UseFormReturn<RuleDraft>, error: Error | null): void {
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    for (const [path, message] of Object.entries(error.fields)) {
      if (NOT_IN_FORM.includes(path)) continue;
      setError(fieldAt(path), { type: 'server', message }, { shouldFocus: true });
    }
  }, [error, setError]);
}

/** The complaint about a field; undefined for a good one. */
export function errorAt(errors: FieldErrors<RuleDraft>, path: FieldPath<RuleDraft>): string | undefined {
  let node: unknown = errors;
  for (const name of path.split('.')) {
    if (typeof node !== 'object' || node === null) return undefined;
    node = (node as Record<string, unknown>)[name];
  }
  if (typeof node !== 'object' || node === null || !('message' in node)) return undefined;
  return typeof node.message === 'string' ? node.message : undefined;
}
