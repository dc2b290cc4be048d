import { Plus, X } from 'lucide-react';
import { RELATIONS, type Relation } from '#domain/lines/line.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { InlineInput, InlineSelect, Words } from './inline-fields.tsx';
import {
  type AmountForm,
  BASES,
  baseOf,
  type OtherForm,
  type ShiftWay,
  type TargetForm,
} from './line-form.ts';

const UNITS = [
  { value: '%', label: '%' },
  { value: '$', label: '$' },
];
const WAYS = [
  { value: 'at', label: 'exactly' },
  { value: 'under', label: 'under' },
  { value: 'over', label: 'over' },
];
const OTHER_WAYS = [
  { value: 'under', label: 'under' },
  { value: 'over', label: 'over' },
  { value: 'at', label: 'the same as' },
  { value: 'ignore', label: 'ignore' },
];

const RELATION_LABELS = {
  equal: 'offers that ship like mine',
  faster: 'offers that ship faster',
  slower: 'offers that ship slower',
  marketplace: "the marketplace's own offers",
  unknown: 'offers with an unknown shipper',
} as const satisfies Record<Relation, string>;
const RELATION_OPTIONS = RELATIONS.map((relation) => ({ value: relation, label: RELATION_LABELS[relation] }));
const BASE_OPTIONS = BASES.map(({ id, label }) => ({ value: id, label }));

type TargetFieldsProps = { target: TargetForm; onChange: (target: TargetForm) => void };

/** A price: "4 % under the lowest competitor", with other differences by how an offer ships. */
export function TargetFields({ target, onChange }: TargetFieldsProps): React.JSX.Element {
  const { value, shift } = baseOf(target.base);
  const put = (change: Partial<TargetForm>): void => onChange({ ...target, ...change });
  return (
    <>
      {shift !== null && (
        <>
          {target.how !== 'at' && <AmountFields by={target.by} onChange={(by) => put({ by })} />}
          <InlineSelect
            label="Difference"
            value={target.how}
            options={WAYS}
            onChange={(how) => put({ how: how as ShiftWay })}
          />
        </>
      )}
      <InlineSelect
        label="Price"
        value={target.base}
        options={BASE_OPTIONS}
        onChange={(next) =>
          put({ base: next, value: isText(baseOf(next).value) ? '' : numberOr(target.value) })
        }
      />
      {value !== null && (
        <InlineInput
          label={value === 'name' ? 'Seller' : value === 'sku' ? 'SKU' : 'Percentage'}
          value={target.value}
          isWide={isText(value)}
          onChange={(next) => put({ value: next })}
        />
      )}
      {value === 'percent' && <Words>%</Words>}
      {shift === 'relations' && <Others target={target} put={put} />}
    </>
  );
}

/** Whether a value is typed in words, not as a number. */
function isText(value: 'name' | 'sku' | 'percent' | null): boolean {
  return value === 'name' || value === 'sku';
}

function numberOr(value: string): string {
  return /^[\d.]+$/.test(value) ? value : '20';
}

function AmountFields({ by, onChange }: { by: AmountForm; onChange: (by: AmountForm) => void }) {
  return (
    <span className="flex items-center gap-1">
      <InlineInput label="Amount" value={by.amount} onChange={(amount) => onChange({ ...by, amount })} />
      <InlineSelect
        label="Unit"
        value={by.unit}
        options={UNITS}
        onChange={(unit) => onChange({ ...by, unit: unit as AmountForm['unit'] })}
      />
    </span>
  );
}

type OthersProps = { target: TargetForm; put: (change: Partial<TargetForm>) => void };

function Others({ target: { others, how }, put }: OthersProps): React.JSX.Element {
  const used = new Set<Relation>(others.map(({ relation }) => relation));
  if (how !== 'at') used.add('equal');
  const free = RELATIONS.filter((relation) => !used.has(relation));
  const preferred = (['faster', 'slower'] as const).find((relation) => free.includes(relation)) ?? free[0];
  return (
    <>
      {others.map((other, index) => (
        <Other
          key={other.relation}
          other={other}
          free={free}
          onChange={(next) => put({ others: others.with(index, next) })}
          onRemove={() => put({ others: others.toSpliced(index, 1) })}
        />
      ))}
      {preferred !== undefined && (
        <Button
          look="quiet"
          onClick={() =>
            put({
              others: [...others, { relation: preferred, how: 'under', by: { amount: '12', unit: '%' } }],
            })
          }
        >
          <Plus aria-hidden />
          By shipping
        </Button>
      )}
    </>
  );
}

type OtherProps = {
  other: OtherForm;
  free: readonly Relation[];
  onChange: (other: OtherForm) => void;
  onRemove: () => void;
};

function Other({ other, free, onChange, onRemove }: OtherProps): React.JSX.Element {
  return (
    <span className="flex max-w-full min-w-0 flex-wrap items-center gap-1.5 rounded-md bg-hover px-1.5">
      {(other.how === 'under' || other.how === 'over') && (
        <AmountFields by={other.by} onChange={(by) => onChange({ ...other, by })} />
      )}
      <InlineSelect
        label="Difference by shipping"
        value={other.how}
        options={OTHER_WAYS}
        onChange={(how) => onChange({ ...other, how: how as OtherForm['how'] })}
      />
      <InlineSelect
        label="Shipping"
        value={other.relation}
        options={RELATION_OPTIONS.filter(({ value }) => value === other.relation || free.includes(value))}
        onChange={(relation) => onChange({ ...other, relation: relation as Relation })}
      />
      <IconButton name="Remove this difference" onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </span>
  );
}
