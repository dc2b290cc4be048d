import { ApiError, errorText } from '#web/lib/api.ts';

/** The error under the one field of a step: the server's message, or why the call failed. */
export function problemOf(error: Error | null, field: 'password' | 'code'): string | undefined {
  if (error === null) return undefined;
  return (error instanceof ApiError ? error.fields[field] : undefined) ?? errorText(error);
}
