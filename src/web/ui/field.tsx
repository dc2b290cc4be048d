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
  /** Label and hint at the left, a narrow control at the right: a row of settings. */
  isRow?: boolean | undefined;
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

/** Label above the control, hint below, error below the hint, all linked to the control; or as a row of settings. */
export function Field(props: FieldProps): React.JSX.Element {
  const { label, hideLabel, hint, error, isRow = false, className, children } = props;
  const id = useId();
  const described = classNames(hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`);
  const name = (
    <label htmlFor={id} className={classNames('font-medium', hideLabel === true && 'sr-only')}>
      {label}
    </label>
  );
  const control = children({
    id,
    'aria-invalid': error !== undefined,
    'aria-describedby': described || undefined,
  });
  const help = hint !== undefined && (
    <p id={`${id}-hint`} className="text-sm text-fg-muted">
      {hint}
    </p>
  );
  const problem = error !== undefined && (
    <p id={`${id}-error`} className="flex items-start gap-1.5 text-sm text-danger-text">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {error}
    </p>
  );
  if (isRow) {
    return (
      <div className={classNames('flex items-center gap-x-6', className)}>
        <div className="flex min-w-0 flex-1 flex-col gap-0.5">
          {name}
          {help}
          {problem}
        </div>
        <div className="w-30 shrink-0 sm:w-40">{control}</div>
      </div>
    );
  }
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      {name}
      {control}
      {help}
      {problem}
    </div>
  );
}
