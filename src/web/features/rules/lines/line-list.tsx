import { Plus } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { type LineCount, LineRowView } from './line-row.tsx';
import { useLineRows } from './use-line-rows.ts';

type LineListProps = {
  text: string;
  /** Of each line, by the preview of this text; empty while it is not known. */
  counts: readonly LineCount[];
  onChange: (text: string) => void;
};

/** The lines as rows: the first that applies decides. */
export function LineList({ text, counts, onChange }: LineListProps): React.JSX.Element {
  const rows = useLineRows(text, onChange);
  const { list } = rows;
  // A drag outlives many renders: each move has to act on the rows of its time.
  const onMove = useEffectEvent((event: Event) => {
    const { from, to } = (event as CustomEvent<{ from: number; to: number }>).detail;
    rows.move(from, to);
  });
  useEffect(() => {
    const element = list.current;
    const move = (event: Event): void => onMove(event);
    element?.addEventListener('move-line', move);
    return () => element?.removeEventListener('move-line', move);
  }, [list]);
  return (
    <div className="flex flex-col items-start gap-3">
      <ol ref={list} className="flex w-full flex-col divide-y border-b empty:hidden">
        {rows.rows.map((row, index) => (
          <LineRowView key={row.key} rows={rows} row={row} index={index} count={counts[index] ?? null} />
        ))}
      </ol>
      <Button look="outline" data-add-line disabled={!rows.canAdd} onClick={rows.add}>
        <Plus aria-hidden />
        Add a line
      </Button>
    </div>
  );
}
