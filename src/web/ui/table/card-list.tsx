import { classNames } from '#web/lib/class-names.ts';
import { SelectBox } from './select-box.tsx';

type CardListProps<Row> = {
  label: string;
  rows: readonly Row[];
  rowId: (row: Row) => string;
  rowName: (row: Row) => string;
  card: (row: Row) => React.ReactNode;
  /** The checkboxes appear with the first selected row, which another control selects. */
  startsSelectionElsewhere: boolean;
  hasSelected: boolean;
  /** Null without selection. */
  isSelected: ((id: string) => boolean) | null;
  onToggle: (id: string, isOn: boolean, withRange: boolean) => void;
};

/** The rows on a narrow screen, as cards. */
export function CardList<Row>(props: CardListProps<Row>): React.JSX.Element {
  const isSelecting = props.isSelected !== null && (props.hasSelected || !props.startsSelectionElsewhere);
  return (
    <ul aria-label={props.label} data-selecting={isSelecting || undefined} className="flex flex-col divide-y">
      {props.rows.map((row) => {
        const id = props.rowId(row);
        return (
          <li
            key={id}
            data-row-id={id}
            tabIndex={-1}
            data-selected={props.isSelected?.(id) || undefined}
            className="table-row-line flex overflow-hidden"
          >
            {isSelecting && props.isSelected !== null && (
              <SelectBox
                label={`Select ${props.rowName(row)}`}
                checked={props.isSelected(id)}
                onToggle={(isOn, withRange) => props.onToggle(id, isOn, withRange)}
                className="h-auto w-11 shrink-0"
              />
            )}
            <div className={classNames('min-w-0 flex-1 py-2 pr-2', !isSelecting && 'pl-4')}>
              {props.card(row)}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
