import { X } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';
import { Button } from '#web/ui/button.tsx';

export interface FilterPill {
  readonly name: string;
  /** "Problem: no weight" */
  readonly text: string;
  readonly onRemove: () => void;
  /** The toolbar shows it on the screen: paper has none. */
  readonly isInToolbar?: boolean;
}

/** The active filters, always visible: here or in the toolbar. */
export function FilterPills(props: {
  pills: readonly FilterPill[];
  onClear: () => void;
  /** What can be done with exactly these filters. */
  children?: React.ReactNode;
}): React.JSX.Element | null {
  if (props.pills.length === 0) return null;
  const onPaperAlone = props.pills.every(({ isInToolbar }) => isInToolbar);
  return (
    <div
      className={classNames(
        'flex-wrap items-center gap-1.5 border-b px-4 py-1 print:flex',
        onPaperAlone ? 'hidden' : 'flex',
      )}
    >
      <ul aria-label="Active filters" className="contents">
        {props.pills.map(({ name, text, onRemove, isInToolbar = false }) => (
          <li
            key={name}
            className={classNames(
              'max-w-full items-center rounded-md bg-badge-info text-badge-info-fg print:flex',
              isInToolbar ? 'hidden' : 'flex',
            )}
          >
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
