import type { AuditRow } from '#contract/audit.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { GROUP_LABELS } from './audit-text.ts';

/** Time, event, group and address. */
export function auditColumns(onOpen: (id: string) => void): readonly TableColumn<AuditRow>[] {
  return [
    { id: 'at', label: 'Time', width: 136, cell: ({ at }) => <MomentText iso={at} /> },
    {
      id: 'sentence',
      label: 'What happened',
      width: 420,
      grows: true,
      isRowHeader: true,
      cell: (row) => <OpenRow row={row} onOpen={onOpen} />,
    },
    {
      id: 'group',
      label: 'Kind',
      width: 180,
      cell: ({ group, action }) => (
        <span className="text-fg-muted">{group === null ? action : GROUP_LABELS[group]}</span>
      ),
    },
    {
      id: 'address',
      label: 'Address',
      width: 152,
      cell: ({ address }) =>
        address === null ? <NotAvailable /> : <span className="font-mono text-sm">{address}</span>,
    },
  ];
}

type OpenRowProps = { row: AuditRow; onOpen: (id: string) => void };

/** The sentence, which opens the row. */
function OpenRow({ row, onOpen }: OpenRowProps): React.JSX.Element {
  return (
    <button
      type="button"
      onClick={() => onOpen(row.id)}
      className="line-clamp-2 min-h-8 w-full rounded-sm text-left wrap-anywhere hover:underline"
    >
      {row.sentence}
    </button>
  );
}
