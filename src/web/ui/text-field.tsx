import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { controlClasses } from './control-classes.ts';
import { Field, type FieldTexts } from './field.tsx';

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> &
  FieldTexts & {
    /** Inside the field, at its start: a unit such as "$". */
    start?: React.ReactNode;
    /** Inside the field, at its end: a unit, or a button. */
    end?: React.ReactNode;
    /** Classes of the whole field with its label. */
    fieldClassName?: string;
  };

/** A labeled input: label above, hint below, error below the hint, all three linked to the input. */
export function TextField(props: TextFieldProps): React.JSX.Element {
  const { label, hideLabel, hint, error, isRow, start, end, className, fieldClassName, ...input } = props;
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
          {start !== undefined && (
            <div className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-fg-muted">
              {start}
            </div>
          )}
          <input
            {...links}
            className={classNames(
              controlClasses,
              start !== undefined && 'pl-7',
              end !== undefined && 'pr-12',
              className,
            )}
            {...input}
          />
          {end !== undefined && <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>}
        </div>
      )}
    </Field>
  );
}
