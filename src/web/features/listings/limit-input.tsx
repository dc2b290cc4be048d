import { NumberField } from '#web/ui/number-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import type { LimitHow, LimitKind, LimitName, LimitTexts } from './limit-form.ts';

const KINDS: Readonly<Record<LimitName, readonly { value: LimitKind; label: string }[]>> = {
  minPrice: kinds('Current minimum price'),
  maxPrice: kinds('Current maximum price'),
};

function kinds(own: string): { value: LimitKind; label: string }[] {
  return [
    { value: 'amount', label: 'One amount for all' },
    { value: 'cost', label: 'Total cost' },
    { value: 'floor', label: 'Margin floor' },
    { value: 'price', label: 'Current price' },
    { value: 'own', label: own },
  ];
}

const HOWS: readonly { value: LimitHow; label: string }[] = [
  { value: 'percent_over', label: 'plus %' },
  { value: 'percent_under', label: 'minus %' },
  { value: 'dollars_over', label: 'plus $' },
  { value: 'dollars_under', label: 'minus $' },
];

const HINTS = {
  amount: 'Leave blank for no limit.',
  cost: 'Total cost of each listing, before marketplace fees.',
  floor: 'The lowest price of each listing that keeps the minimum margin.',
  price: 'The price buyers see now.',
  own: 'Listings without one are skipped.',
} as const satisfies Record<LimitKind, string>;

type LimitInputProps = {
  name: LimitName;
  /** "Minimum price" */
  label: string;
  limit: LimitTexts;
  problem: string | undefined;
  onChange: (limit: LimitTexts) => void;
};

/** A limit of many listings: one amount, or calculated for each. */
export function LimitInput({ name, label, limit, problem, onChange }: LimitInputProps): React.JSX.Element {
  const { kind, how, text } = limit;
  const isShare = kind !== 'amount' && how.startsWith('percent');
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={`${label} from`}
        hideLabel
        options={KINDS[name]}
        value={kind}
        onChange={(value) => onChange({ ...limit, kind: value })}
      />
      <div className="grid grid-cols-2 items-start gap-2">
        {kind !== 'amount' && (
          <SelectField
            label={`${label}: difference`}
            hideLabel
            options={HOWS}
            value={how}
            onChange={(value) => onChange({ ...limit, how: value })}
          />
        )}
        <div className={kind === 'amount' ? 'col-span-2' : undefined}>
          <NumberField
            label={label}
            hideLabel
            unit={isShare ? '%' : '$'}
            value={text}
            onChange={(event) => onChange({ ...limit, text: event.target.value })}
            hint={kind === 'amount' ? HINTS.amount : undefined}
            error={problem}
          />
        </div>
      </div>
      {kind !== 'amount' && <p className="text-sm text-fg-muted">{HINTS[kind]}</p>}
    </div>
  );
}
