import type { AuditRow } from '#contract/audit.ts';
import { NotAvailable } from '#web/ui/not-available.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { type ChangedValue, changedValues } from './changed-values.ts';

/** The changes of a row: each value before and after. Unchanged values are folded. */
export function ValueTable({ before, after }: Pick<AuditRow, 'before' | 'after'>): React.JSX.Element {
  const { changed, same } = changedValues(before, after);
  if (changed.length + same.length === 0) {
    return <p className="text-fg-muted">This entry has no values.</p>;
  }
  return (
    <div className="flex flex-col gap-3">
      {changed.length > 0 && <Values caption="Values before and after" values={changed} />}
      {same.length > 0 && (
        <details>
          <summary className="cursor-pointer rounded-md py-2 text-link">
            {same.length === 1 ? '1 value stayed the same' : `${same.length} values stayed the same`}
          </summary>
          <Values caption="Values that stayed the same" values={same} />
        </details>
      )}
    </div>
  );
}

function Values({
  caption,
  values,
}: {
  caption: string;
  values: readonly ChangedValue[];
}): React.JSX.Element {
  return (
    <PlainTable caption={caption}>
      <thead>
        <tr>
          <HeadCell>Value</HeadCell>
          <HeadCell>Before</HeadCell>
          <HeadCell>After</HeadCell>
        </tr>
      </thead>
      <tbody>
        {values.map(({ name, before, after }) => (
          <tr key={name}>
            <th
              scope="row"
              className="border-b px-3 py-1.5 text-left align-top font-medium in-[tr:last-child]:border-b-0"
            >
              {name}
            </th>
            <ValueCell text={before} />
            <ValueCell text={after} />
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function ValueCell({ text }: { text: string | null }): React.JSX.Element {
  return <Cell className="min-w-24 align-top wrap-anywhere">{text ?? <NotAvailable />}</Cell>;
}
