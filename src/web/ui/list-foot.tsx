import { ChevronLeft, ChevronRight } from 'lucide-react';
import { KEYS } from '#web/lib/keys.ts';
import { useShortcuts } from '#web/lib/shortcuts.ts';
import { IconButton } from './icon-button.tsx';
import { SelectField } from './select-field.tsx';

type ListFootProps = {
  /** Rows per page. */
  size: number;
  sizes: readonly number[];
  onSize: (size: number) => void;
  /** The range of these rows, and the buttons to other pages. */
  children: React.ReactNode;
};

/** The foot of a list: rows per page on one side, paging on the other. */
export function ListFoot({ size, sizes, onSize, children }: ListFootProps): React.JSX.Element {
  return (
    <nav
      aria-label="Pages"
      className="flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t py-1 pr-2 pl-4 text-sm text-fg-muted print:hidden"
    >
      <div className="flex items-center gap-2">
        <span aria-hidden className="text-fg-muted">
          Rows per page
        </span>
        <SelectField
          label="Rows per page"
          hideLabel
          compact
          options={sizes.map((each) => ({ value: String(each), label: String(each) }))}
          value={String(size)}
          onChange={(value) => onSize(Number(value))}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 tabular-nums">{children}</div>
    </nav>
  );
}

/** One paging direction. */
interface Turn {
  /** The button's name: "Next page". */
  readonly name: string;
  /** Null at the end of the list. */
  readonly go: (() => void) | null;
}

type TurnButtonsProps = {
  back: Turn;
  on: Turn;
  /** A page is loading: buttons and keys do nothing, and the focus stays. */
  isBusy: boolean;
};

/** Previous and next page, by button and by key. */
export function TurnButtons({ back, on, isBusy }: TurnButtonsProps): React.JSX.Element {
  const turn = ({ go }: Turn): boolean => {
    if (go === null || isBusy) return false;
    go();
    return true;
  };
  useShortcuts([
    { definition: KEYS.previousPage, run: () => turn(back) },
    { definition: KEYS.nextPage, run: () => turn(on) },
  ]);
  const ways = [
    { way: back, shortcut: KEYS.previousPage, Icon: ChevronLeft },
    { way: on, shortcut: KEYS.nextPage, Icon: ChevronRight },
  ];
  return (
    <span className="flex gap-1">
      {ways.map(({ way, shortcut, Icon }) => (
        <IconButton
          key={way.name}
          isSmall
          name={way.name}
          shortcut={shortcut}
          disabled={way.go === null}
          aria-disabled={isBusy || undefined}
          onClick={() => turn(way)}
        >
          <Icon aria-hidden />
        </IconButton>
      ))}
    </span>
  );
}
