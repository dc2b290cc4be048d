import { Check, Minus } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { classNames } from '#web/lib/class-names.ts';

type CheckboxProps = {
  label: string;
  /** Hides the label except for screen readers, as in a table. */
  hideLabel?: boolean;
  hint?: string | undefined;
  /** `mixed`: some of its rows are selected. */
  checked: boolean | 'mixed';
  onChange: (checked: boolean) => void;
  /** For ranges: called with the Shift key before `onChange`. */
  onClick?: React.MouseEventHandler<HTMLInputElement>;
  disabled?: boolean;
  className?: string;
};

/** A checkbox with its label; the label is part of the target, 44 px high for touch. */
export function Checkbox(props: CheckboxProps): React.JSX.Element {
  const { label, hideLabel = false, hint, checked, onChange, onClick, disabled, className } = props;
  const hintId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = checked === 'mixed';
  }, [checked]);
  return (
    <div className={classNames('print:hidden', className)}>
      <label
        className={classNames(
          'inline-flex min-h-11 items-center gap-2 dense:min-h-8',
          hideLabel && 'min-w-11 justify-center md:min-w-8',
          disabled === true ? 'cursor-not-allowed opacity-60' : 'cursor-pointer',
        )}
      >
        <span className="grid size-5 shrink-0 md:size-4 place-items-center">
          <input
            ref={input}
            type="checkbox"
            checked={checked === true}
            disabled={disabled}
            onChange={(event) => onChange(event.target.checked)}
            onClick={onClick}
            aria-describedby={hint === undefined ? undefined : hintId}
            className="peer col-start-1 row-start-1 size-5 cursor-[inherit] appearance-none rounded-[4px] border border-border-control bg-surface checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary md:size-4"
          />
          <Check
            aria-hidden
            className="pointer-events-none invisible col-start-1 row-start-1 size-3 stroke-3 text-primary-fg peer-checked:visible peer-indeterminate:invisible"
          />
          <Minus
            aria-hidden
            className="pointer-events-none invisible col-start-1 row-start-1 size-3 stroke-3 text-primary-fg peer-indeterminate:visible"
          />
        </span>
        <span className={classNames(hideLabel && 'sr-only')}>{label}</span>
      </label>
      {hint !== undefined && (
        <p id={hintId} className="pl-7 md:pl-6 text-sm text-fg-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
