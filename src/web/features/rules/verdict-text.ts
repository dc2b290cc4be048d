import type { WalkedLine } from '#contract/rules.ts';
import { formatMoney } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';

/** What became of a line for one listing. */
export function verdictText({ verdict, condition, value, want, least, restsUntil }: WalkedLine): string {
  switch (verdict) {
    case 'decided':
      return want === null ? 'Decides: the price stays.' : `Decides: asks for ${formatMoney(want)}.`;
    case 'not_read':
      return 'May not decide while competitors are not read.';
    case 'condition':
      return value === null
        ? `"${condition}" does not hold.`
        : `"${condition}" does not hold: it is ${value}.`;
    case 'unknown':
      return condition === null
        ? 'The price it asks for is not known.'
        : `What "${condition}" asks about is not known.`;
    case 'too_low':
      return `Too low: ${formatMoney(want ?? '')} is below ${formatMoney(least ?? '')}.`;
    case 'resting':
      return restsUntil === null ? 'Rests.' : `Rests until ${formatMoment(restsUntil, 'short')}.`;
    case 'not_asked':
      return 'Not asked.';
  }
}
