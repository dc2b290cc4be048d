import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { controlClasses } from './control-classes.ts';
import { Field, type FieldTexts } from './field.tsx';

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'id'> & FieldTexts;

/** A labeled text of several lines. */
export function TextAreaField(props: TextAreaFieldProps): React.JSX.Element {
  const { label, hideLabel, hint, error, className, ...area } = props;
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(links) => (
        <textarea
          {...links}
          rows={3}
          className={classNames(controlClasses, 'h-auto py-2 md:h-auto', className)}
          {...area}
        />
      )}
    </Field>
  );
}
