import { useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiError } from '#web/lib/api.ts';

/**
 * Shows server errors under their fields, and focuses the first such field.
 * @param names of the fields, in the order of the form; must be a stable array
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
