import type { AuditRow } from '#contract/audit.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { GROUP_LABELS } from './audit-text.ts';

type AuditCardProps = { row: AuditRow; onOpen: (id: string) => void };

/** A row on a narrow screen. */
export function AuditCard({ row, onOpen }: AuditCardProps): React.JSX.Element {
  const { id, sentence, group, address, at } = row;
  return (
    <div className="flex flex-col gap-1">
      <button
        type="button"
        onClick={() => onOpen(id)}
        className="min-h-11 rounded-sm text-left font-medium wrap-anywhere"
      >
        {sentence}
      </button>
      <p className="flex flex-wrap gap-x-3 text-sm text-fg-muted">
        <MomentText iso={at} />
        {group !== null && <span>{GROUP_LABELS[group]}</span>}
        {address !== null && <span className="font-mono">{address}</span>}
      </p>
    </div>
  );
}
