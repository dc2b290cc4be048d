import type { TracedLine } from '#contract/traced-line.ts';
import { formatMoney } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';

/** What became of a line for one listing. */
export function lineStatusText({ status, condition, value, want, least, restsUntil }: TracedLine): string {
  switch (status) {
    case 'decided':
      return want === null ? 'Applies: keeps the price.' : `Applies: ${formatMoney(want)}.`;
    case 'not_read':
      return 'Needs competitor data, which is not available.';
    case 'condition':
      return value === null ? `Not met: ${condition}.` : `Not met: ${condition} (${value}).`;
    case 'unknown':
      return condition === null ? 'Unknown: the price of this line.' : `Unknown: ${condition}.`;
    case 'too_low':
      return `Too low: ${formatMoney(want ?? '')} is below ${formatMoney(least ?? '')}.`;
    case 'resting':
      return restsUntil === null ? 'Paused.' : `Paused until ${formatMoment(restsUntil, 'short')}.`;
    case 'not_asked':
      return 'Not reached.';
  }
}
