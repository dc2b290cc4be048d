import { classNames } from '#web/lib/class-names.ts';

type RangeControlProps<Value extends string> = {
  /** What the range is of; announced. */
  name: string;
  ranges: readonly { readonly value: Value; readonly label: string }[];
  /** Null when none of them is chosen. */
  value: Value | null;
  onChange: (value: Value) => void;
};

/** A few ranges of time of which one is chosen: a setting of what is shown. Places of a screen are tabs. */
export function RangeControl<Value extends string>(props: RangeControlProps<Value>): React.JSX.Element {
  const { name, ranges, value: chosen, onChange } = props;
  return (
    <fieldset className="flex w-fit max-w-full min-w-0 overflow-x-auto rounded-md bg-fill p-0.5 [scrollbar-width:none] print:hidden">
      <legend className="sr-only">{name}</legend>
      {ranges.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChange(value)}
          className={classNames(
            'h-10 min-w-10 shrink-0 rounded-sm border px-2.5 font-medium whitespace-nowrap dense:h-6',
            value === chosen
              ? 'border-border-strong bg-surface text-fg'
              : 'border-transparent text-fg-muted hover:text-fg',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
