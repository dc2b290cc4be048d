import { CircleMinus, CirclePlus, CircleX, type LucideIcon, Pencil } from 'lucide-react';
import type { z } from 'zod';
import type { ImportCounts } from '#contract/imports.ts';
import { formatCount } from '#web/lib/format.ts';
import type { Verdict } from '#web/ui/imports/import-calls.ts';

const CHOICES = [
  { verdict: 'create', label: 'Will create', icon: CirclePlus, tone: 'text-success-text' },
  { verdict: 'update', label: 'Will update', icon: Pencil, tone: 'text-info-text' },
  { verdict: 'unchanged', label: 'Unchanged', icon: CircleMinus, tone: 'text-fg-muted' },
  { verdict: 'rejected', label: 'Rejected', icon: CircleX, tone: 'text-danger-text' },
] as const satisfies readonly { verdict: Verdict; label: string; icon: LucideIcon; tone: string }[];

type VerdictFilterProps = {
  counts: z.output<typeof ImportCounts>;
  value: Verdict;
  onChange: (verdict: Verdict) => void;
};

/** The four counts; each shows its rows. */
export function VerdictFilter({ counts, value, onChange }: VerdictFilterProps): React.JSX.Element {
  return (
    <fieldset className="grid grid-cols-2 gap-2 lg:grid-cols-4">
      <legend className="sr-only">Rows to show</legend>
      {CHOICES.map(({ verdict, label, icon: Icon, tone }) => (
        <button
          key={verdict}
          type="button"
          aria-pressed={verdict === value}
          onClick={() => onChange(verdict)}
          className="flex flex-col items-start rounded-lg border bg-surface px-4 py-3 text-left hover:bg-hover aria-pressed:border-primary aria-pressed:bg-selected"
        >
          <span className="flex items-center gap-1.5 text-sm text-fg-muted">
            <Icon aria-hidden className={`size-4 ${tone}`} />
            {label}
            <span className="sr-only">: </span>
          </span>
          <span className="text-xl font-semibold tabular-nums">{formatCount(counts[verdict])}</span>
        </button>
      ))}
    </fieldset>
  );
}
