import { useId } from 'react';
import { classNames } from '#web/lib/class-names.ts';

export interface RadioOption<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
  disabled?: boolean;
}

type RadioGroupFieldProps<Value extends string> = {
  /** The question. */
  label: string;
  hideLabel?: boolean;
  options: readonly RadioOption<Value>[];
  /** Null if nothing is selected. */
  value: Value | null;
  onChange: (value: Value) => void;
  error?: string | undefined;
  /** Classes of the list of options: columns, for instance. */
  className?: string;
};

/** A few options, all visible, each with a description. */
export function RadioGroupField<Value extends string>(props: RadioGroupFieldProps<Value>): React.JSX.Element {
  const { label, hideLabel = false, options, value, onChange, error, className } = props;
  const name = useId();
  return (
    <fieldset aria-describedby={error === undefined ? undefined : `${name}-error`}>
      <legend className={classNames('mb-1 font-medium', hideLabel && 'sr-only')}>{label}</legend>
      <div className={classNames('flex flex-col gap-2', className)}>
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              'flex min-h-11 cursor-pointer items-start gap-2.5 rounded-md border border-border-strong bg-surface px-3 py-2 has-checked:border-primary has-checked:bg-selected',
              option.disabled === true && 'cursor-not-allowed opacity-60',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              // Like native radio buttons: only the selected one is a tab stop, and a dialog focuses it first.
              tabIndex={value === null || option.value === value ? 0 : -1}
              onChange={() => onChange(option.value)}
              className="mt-0.5 size-4 shrink-0 appearance-none rounded-xl border border-border-control bg-surface checked:border-5 checked:border-primary"
            />
            <span className="min-w-0">
              <span className="block font-medium">{option.label}</span>
              {option.hint !== undefined && (
                <span className="block text-sm text-fg-muted">{option.hint}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${name}-error`} className="mt-1 text-sm text-danger-text">
          {error}
        </p>
      )}
    </fieldset>
  );
}
