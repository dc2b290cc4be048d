import { X } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';

export interface FilterPill {
  readonly name: string;
  /** "Problem: no weight" */
  readonly text: string;
  readonly onRemove: () => void;
}

/** The active filters, always visible. */
export function FilterPills(props: {
  pills: readonly FilterPill[];
  onClear: () => void;
  /** What can be done with exactly these filters. */
  children?: React.ReactNode;
}): React.JSX.Element | null {
  if (props.pills.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5 border-b px-4 py-1">
      <ul aria-label="Active filters" className="contents">
        {props.pills.map(({ name, text, onRemove }) => (
          <li key={name} className="flex max-w-full items-center rounded-md bg-badge-info text-badge-info-fg">
            <span className="min-w-0 py-1 pl-2.5 text-sm wrap-anywhere print:pr-2.5 font-medium">{text}</span>
            <button
              type="button"
              aria-label={`Remove filter ${text}`}
              onClick={onRemove}
              className="grid size-11 shrink-0 place-items-center rounded-md dense:size-7 print:hidden"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
      <Button look="quiet" onClick={props.onClear} className="text-link print:hidden">
        Clear filters
      </Button>
      {props.children}
    </div>
  );
}
