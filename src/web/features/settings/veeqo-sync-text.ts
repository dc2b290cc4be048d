import type { VeeqoSync } from '#contract/settings.ts';
import { ApiError, CallError, errorText } from '#web/lib/api.ts';
import { countOf, formatCount } from '#web/lib/format.ts';

export const SYNC_FAILED = 'Failed to sync with Veeqo. Please check your API key and try again.';

/** The result of a sync, as its toast shows it. */
export function syncDoneText({
  imported,
  skipped,
  leftDeleted,
}: Pick<VeeqoSync, 'imported' | 'skipped' | 'leftDeleted'>): string {
  const done = `Successfully imported ${formatCount(imported)} SKUs.`;
  const known = skipped > 0 ? ` ${formatCount(skipped)} SKUs skipped (already exist).` : '';
  const deleted =
    leftDeleted > 0 ? ` ${countOf(leftDeleted, 'SKU', 'SKUs')} deleted here and not restored.` : '';
  return `${done}${known}${deleted}`;
}

/**
 * Why a call failed: `error` or `details` of a JSON object in the error text, else the text itself.
 * Our own errors have a message; for an empty response or a proxy's page there is a fixed one.
 */
export function syncFailureText(error: Error): string {
  const said = saidIn(error.message);
  if (said !== null) return said;
  if (error instanceof ApiError) {
    if (error.code !== null) return error.text;
    return /^\s*(<|$)/.test(error.body) ? SYNC_FAILED : error.message;
  }
  return (error instanceof CallError ? errorText(error) : error.message) || SYNC_FAILED;
}

function saidIn(text: string): string | null {
  const [begin, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (begin < 0 || end < begin) return null;
  try {
    const { error, details }: { error?: unknown; details?: unknown } = JSON.parse(text.slice(begin, end + 1));
    return [error, details].find((each): each is string => typeof each === 'string' && each !== '') ?? null;
  } catch {
    return null;
  }
}
