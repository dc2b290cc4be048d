import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { compactControl, controlClasses } from './control-classes.ts';
import { Field, type FieldTexts } from './field.tsx';

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: string;
  disabled?: boolean;
}

type SelectFieldProps<Value extends string> = Omit<
  ComponentProps<'select'>,
  'id' | 'value' | 'onChange' | 'multiple' | 'children' | 'size'
> &
  FieldTexts & {
    options: readonly SelectOption<Value>[];
    value: Value;
    onChange: (value: Value) => void;
    /** Lower, for toolbars and tables: its text is the chosen value, marked where that is not the first, empty one. */
    compact?: boolean;
    /** Classes of the whole field with its label. */
    fieldClassName?: string | undefined;
  };

/** A native select, labeled: it works with any keyboard, on any phone, and needs no inline style. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>): React.JSX.Element {
  const {
    label,
    hideLabel,
    hint,
    error,
    isRow,
    options,
    value,
    onChange,
    compact,
    className,
    fieldClassName,
    ...rest
  } = props;
  const isSet = options[0]?.value === '' && value !== '';
  return (
    <Field
      label={label}
      hideLabel={hideLabel}
      hint={hint}
      error={error}
      isRow={isRow}
      className={fieldClassName}
    >
      {(links) => (
        <div className="relative">
          <select
            {...links}
            value={value}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value);
              if (chosen !== undefined) onChange(chosen.value);
            }}
            className={classNames(
              controlClasses,
              'appearance-none truncate pr-8',
              compact === true &&
                `${compactControl} font-medium md:pr-7.5 ${isSet ? 'border-primary bg-selected text-link' : 'border-border-strong'}`,
              className,
            )}
            {...rest}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-fg-muted"
          />
        </div>
      )}
    </Field>
  );
}
