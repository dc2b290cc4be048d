import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PassedOverRows } from '#contract/connections.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { formatCount } from '#web/lib/format.ts';
import { passedOverQuery } from './connection-queries.ts';
import { passedOverText } from './passed-over-text.ts';

type PassedOverProps = {
  marketplace: Marketplace;
  kind: SyncKind;
  /** Of the last sync of this kind. */
  count: number;
  /** When that ended: the rows are read again after each sync. */
  endedAt: string;
};

/** The rows that the last sync of a kind did not take, each with what to do, once they are requested. */
export function PassedOver({ marketplace, kind, count, endedAt }: PassedOverProps): React.JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const name = MARKETPLACE_NAMES[marketplace];
  return (
    <details className="mt-1" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="min-h-6 cursor-pointer rounded-sm text-link">
        Show skipped rows ({formatCount(count)})
      </summary>
      {isOpen && <Rows marketplace={marketplace} name={name} kind={kind} endedAt={endedAt} count={count} />}
    </details>
  );
}

function Rows({
  marketplace,
  name,
  kind,
  count,
  endedAt,
}: PassedOverProps & { name: string }): React.JSX.Element {
  const { data, error } = useQuery(passedOverQuery(marketplace, endedAt));
  if (error !== null) return <p className="text-danger-text">{errorText(error)}</p>;
  if (data === undefined) return <p className="text-fg-muted">Loading...</p>;
  const rows = data.rows.filter((row) => row.kind === kind);
  return (
    <>
      <ul
        aria-label={`Skipped by the last sync with ${name}`}
        className="mt-1 max-h-60 list-disc overflow-y-auto pl-6 text-sm wrap-anywhere"
      >
        {numbered(rows).map(({ row, key }) => (
          <li key={key}>
            <span className="font-mono">{row.what}</span>: {passedOverText(row, name)}
          </li>
        ))}
      </ul>
      {count > rows.length && (
        <p className="text-sm text-fg-muted">
          The first {formatCount(rows.length)} of {formatCount(count)}.
        </p>
      )}
    </>
  );
}

/** Rows without a name repeat. */
function numbered(rows: PassedOverRows['rows']): { row: PassedOverRows['rows'][number]; key: number }[] {
  return rows.map((row, key) => ({ row, key }));
}
