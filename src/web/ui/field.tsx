import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { classNames } from '#web/lib/class-names.ts';

/** Texts of every labeled control. */
export interface FieldTexts {
  label: string;
  /** Hides the label except for screen readers, as where a table header names the field. */
  hideLabel?: boolean | undefined;
  hint?: string | undefined;
  /** The error of the value; shown under the field. */
  error?: string | undefined;
}

/** Attributes that link the control to its texts. Spread them onto the input. */
export interface FieldLinks {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

type FieldProps = FieldTexts & {
  className?: string | undefined;
  children: (links: FieldLinks) => React.ReactNode;
};

/** Label above the control, hint below, error below the hint, all linked to the control. */
export function Field({ label, hideLabel, hint, error, className, children }: FieldProps): React.JSX.Element {
  const id = useId();
  const described = classNames(hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`);
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={classNames('font-medium', hideLabel === true && 'sr-only')}>
        {label}
      </label>
      {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': described || undefined })}
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
