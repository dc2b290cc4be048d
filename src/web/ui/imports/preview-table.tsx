import type { Import } from '#contract/imports.ts';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';

/** The first rows of the file, cell by cell, as written. */
export function PreviewTable({ imported }: { imported: Import }): React.JSX.Element | null {
  const { header, preview } = imported;
  const title = `First ${preview.length === 1 ? 'row' : `${preview.length} rows`} of the file`;
  if (preview.length === 0) {
    // The reason is shown above.
    if (imported.error !== null) return null;
    return <p className="text-fg-muted">The file has a header and no rows.</p>;
  }
  // Two columns may have one name, and two rows the same cells: only the place distinguishes them.
  const columns = header.map((name, at) => ({ name, at, key: `${at}:${name}` }));
  const rows = preview.map((cells, at) => ({ cells, key: `row ${at}` }));
  return (
    <div>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <PlainTable caption={title}>
        <thead>
          <tr>
            {columns.map(({ name, key }) => (
              <HeadCell key={key}>{name}</HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, key }) => (
            <tr key={key}>
              {columns.map((column) => (
                <Cell key={column.key} className="max-w-64 truncate font-mono text-sm">
                  {cells[column.at] ?? ''}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}
