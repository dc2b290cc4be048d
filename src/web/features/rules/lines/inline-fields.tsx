import { classNames } from '#web/lib/class-names.ts';

const FIELD =
  'h-11 max-w-full rounded-md border border-border-control bg-surface px-2 text-lg text-fg aria-invalid:border-danger-text dense:h-8 md:text-base';

type Option = { readonly value: string; readonly label: string };

type InlineSelectProps = {
  label: string;
  value: string;
  options: readonly Option[];
  /** Groups of options with their names; instead of `options`. */
  groups?: readonly (readonly [string, readonly Option[]])[];
  onChange: (value: string) => void;
};

/** A dropdown inside a sentence. A value that is no option is kept as one. */
export function InlineSelect(props: InlineSelectProps): React.JSX.Element {
  const { label, value, options, groups = [], onChange } = props;
  const known = [...options, ...groups.flatMap(([, each]) => each)];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      // As wide as what is chosen, not as the longest choice.
      className={classNames(FIELD, 'field-sizing-content min-w-0')}
    >
      {!known.some((option) => option.value === value) && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {groups.map(([name, each]) => (
        <optgroup key={name} label={name}>
          {each.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

type InlineInputProps = {
  label: string;
  value: string;
  isWide?: boolean;
  isInvalid?: boolean;
  onChange: (value: string) => void;
};

/** A field inside a sentence. */
export function InlineInput({ label, value, isWide, isInvalid, onChange }: InlineInputProps) {
  return (
    <input
      aria-label={label}
      aria-invalid={isInvalid === true}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      inputMode={isWide === true ? 'text' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      className={classNames(FIELD, 'tabular-nums', isWide === true ? 'w-36' : 'w-16')}
    />
  );
}

/** Words between the fields. */
export function Words({ children }: { children: React.ReactNode }): React.JSX.Element {
  return <span className="text-fg-muted">{children}</span>;
}
