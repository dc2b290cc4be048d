import type { UseFormReturn } from 'react-hook-form';
import { RuleFields } from '#contract/rules.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import { linesOfStrategy } from '#domain/lines/strategy-lines.ts';
import { shortPercent } from '#web/lib/format.ts';
import { formOf, type RuleDraft } from './rule-draft.ts';

/** Writes the strategy of a draft as lines that decide the same; at an offset that no line can have, says so at its field. */
export function turnIntoLines(form: UseFormReturn<RuleDraft>): void {
  const draft = form.getValues();
  const read = RuleFields.safeParse({ ...formOf({ ...draft, way: 'strategy' }), name: 'Draft' });
  const terms = read.success
    ? linesOfStrategy({ ...read.data, onlySameShipping: true, marketplaceTargets: {} })
    : null;
  if (terms === null || terms.lines === null) {
    form.setError('lines', { type: 'turn', message: 'Correct the values of the strategy first' });
    return;
  }
  form.setValue('way', 'lines', { shouldDirty: true });
  form.setValue('lines', printLines(terms.lines), { shouldDirty: true });
  form.setValue('onlySameShipping', terms.onlySameShipping ? true : null, { shouldDirty: true });
  const { ignoreUnderFloor } = terms;
  form.setValue(
    'ignoreUnderFloor',
    ignoreUnderFloor === null ? '' : shortPercent(String(ignoreUnderFloor / 100)),
  );
}
