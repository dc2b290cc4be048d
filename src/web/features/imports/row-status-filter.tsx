import { CircleMinus, CirclePlus, CircleX, type LucideIcon, Pencil } from 'lucide-react';
import type { z } from 'zod';
import type { ImportCounts } from '#contract/imports.ts';
import { formatCount } from '#web/lib/format.ts';
import type { RowStatus } from '#web/ui/imports/import-calls.ts';

const CHOICES = [
  { status: 'create', label: 'Will create', icon: CirclePlus, tone: 'text-success-text' },
  { status: 'update', label: 'Will update', icon: Pencil, tone: 'text-info-text' },
  { status: 'unchanged', label: 'Unchanged', icon: CircleMinus, tone: 'text-fg-muted' },
  { status: 'rejected', label: 'Rejected', icon: CircleX, tone: 'text-danger-text' },
] as const satisfies readonly { status: RowStatus; label: string; icon: LucideIcon; tone: string }[];

type RowStatusFilterProps = {
  counts: z.output<typeof ImportCounts>;
  value: RowStatus;
  onChange: (status: RowStatus) => void;
};

/** The four counts; each shows its rows. */
export function RowStatusFilter({ counts, value, onChange }: RowStatusFilterProps): React.JSX.Element {
  return (
    <fieldset className="grid grid-cols-2 gap-2 lg:grid-cols-4">
      <legend className="sr-only">Rows to show</legend>
      {CHOICES.map(({ status, label, icon: Icon, tone }) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === value}
          onClick={() => onChange(status)}
          className="flex flex-col items-start rounded-lg border bg-surface px-4 py-3 text-left hover:bg-hover aria-pressed:border-primary aria-pressed:bg-selected"
        >
          <span className="flex items-center gap-1.5 text-sm text-fg-muted">
            <Icon aria-hidden className={`size-4 ${tone}`} />
            {label}
            <span className="sr-only">: </span>
          </span>
          <span className="text-xl font-semibold tabular-nums">{formatCount(counts[status])}</span>
        </button>
      ))}
    </fieldset>
  );
}
