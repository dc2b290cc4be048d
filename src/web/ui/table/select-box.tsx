import { useRef } from 'react';
import { classNames } from '#web/lib/class-names.ts';

type SelectBoxProps = {
  label: string;
  /** `mixed`: some of its rows are selected. */
  checked: boolean | 'mixed';
  /** `withRange`: Shift was held. */
  onToggle: (isOn: boolean, withRange: boolean) => void;
  className?: string;
};

/** A checkbox that fills its cell, so that the whole cell is the target. */
export function SelectBox({ label, checked, onToggle, className }: SelectBoxProps): React.JSX.Element {
  const shift = useRef(false);
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={checked === true}
      ref={(box) => {
        if (box !== null) box.indeterminate = checked === 'mixed';
      }}
      // A change event has no modifier keys; the click before it does.
      onKeyDown={(event) => {
        shift.current = event.shiftKey;
      }}
      onMouseDown={(event) => {
        shift.current = event.shiftKey;
        // Shift and a click would select text between the two rows.
        if (event.shiftKey) event.preventDefault();
      }}
      onChange={(event) => onToggle(event.target.checked, shift.current)}
      className={classNames('table-select-box', className)}
    />
  );
}
