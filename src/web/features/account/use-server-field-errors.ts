import { useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiError } from '#web/lib/api.ts';

/**
 * What only the server can know about a field stands under that field, and the first such field has the focus.
 * @param names of the fields, in the order of the form; the same list at every call
 */
export function useServerFieldErrors<Fields extends FieldValues>(
  { setError, setFocus }: Pick<UseFormReturn<Fields>, 'setError' | 'setFocus'>,
  error: Error | null,
  names: readonly Path<Fields>[],
): void {
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    for (const name of names.toReversed()) {
      const message = error.fields[name];
      if (message === undefined) continue;
      setError(name, { type: 'server', message });
      setFocus(name);
    }
  }, [error, names, setError, setFocus]);
}
