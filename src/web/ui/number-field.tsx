import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { TextField } from './text-field.tsx';

type NumberFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'start' | 'end'> & {
  /** "$" is shown before the number, anything else after it. */
  unit?: '$' | '%' | 'oz' | 'lb' | 'in' | 'h' | 'min';
};

/**
 * Keeps an amount as text, exactly as typed: the contract parses it, and money is never a float.
 * No spinner and no mouse wheel, which change a price by accident.
 */
export function NumberField({ unit, className, ...rest }: NumberFieldProps): React.JSX.Element {
  const units = unit === undefined ? {} : unit === '$' ? { start: '$' } : { end: <Unit text={unit} /> };
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      className={classNames('tabular-nums', className)}
      {...units}
      {...rest}
    />
  );
}

function Unit({ text }: { text: string }): React.JSX.Element {
  return <span className="pointer-events-none pr-2 text-fg-muted">{text}</span>;
}
