import { CircleAlert } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { classNames } from '#web/lib/class-names.ts';

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string;
  hint?: string | undefined;
  /** What is wrong with what was typed; shown under the field. */
  error?: string | undefined;
  /** Drawn inside the field, at its end. */
  end?: React.ReactNode;
};

/** A labelled input: label above, hint below, error below the hint, all three tied to the input. */
export function TextField({
  label,
  hint,
  error,
  end,
  className,
  ...input
}: TextFieldProps): React.JSX.Element {
  const id = useId();
  const described = classNames(hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={described || undefined}
          className={classNames(
            'h-11 w-full rounded-md border border-border-control bg-surface px-3 text-lg text-fg md:h-10 md:text-base',
            'aria-invalid:border-danger-text',
            end !== undefined && 'pr-12',
            className,
          )}
          {...input}
        />
        {end !== undefined && <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-fg-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-sm text-danger-text">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </div>
  );
}
