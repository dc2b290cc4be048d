import { Plus, Trash2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { RadioGroupField } from '#web/ui/radio-group-field.tsx';
import { type BandFields, type FeeFields, withBand } from './fee-form.ts';

const KINDS = [
  {
    value: 'whole' as const,
    label: 'On the whole price',
    hint: 'The band that the price falls in applies to the whole price. With 5% up to $15 and 10% up to $20, a sale at $16 pays 10% of $16, which is $1.60.',
  },
  {
    value: 'marginal' as const,
    label: 'On each part',
    hint: 'Each band applies to the part of the price inside it. With 12% up to $300 and 8% above, a sale at $350 pays $36 and $4, which is $40.',
  },
];

const EDGE_BASES = [
  { value: 'revenue' as const, label: 'The price plus the shipping charge' },
  {
    value: 'with_tax' as const,
    label: 'The total with sales tax',
    hint: 'As on eBay. Sales tax is assumed: it differs from state to state.',
  },
];

const MAX_BANDS = 50;

type BandEditorProps = {
  fields: FeeFields;
  /** Errors by field: "bands.0.percent". */
  errors: Readonly<Record<string, string>>;
  onChange: (fields: FeeFields) => void;
};

/** The bands of a schedule, ascending; the last one has no upper end. */
export function BandEditor({ fields, errors, onChange }: BandEditorProps): React.JSX.Element {
  const { bands } = fields;
  const usesTax =
    fields.edgeBase === 'with_tax' || bands.some(({ percentTaxed }) => Number(percentTaxed) !== 0);
  const change = (key: number, part: Partial<BandFields>): void =>
    onChange({ ...fields, bands: bands.map((band) => (band.key === key ? { ...band, ...part } : band)) });
  return (
    <div className="flex flex-col gap-4">
      <fieldset>
        <legend className="font-medium">Bands</legend>
        <p className="text-sm text-fg-muted">
          Percent is charged on the price plus the shipping charge. Some fees are charged on the total with
          sales tax instead, such as payment fees.
        </p>
        <ol className="mt-2 flex flex-col gap-3">
          {bands.map((band, index) => (
            <li key={band.key}>
              <BandRow
                band={band}
                index={index}
                isLast={index === bands.length - 1}
                isOnly={bands.length === 1}
                errors={errors}
                onChange={(part) => change(band.key, part)}
                onRemove={() => onChange({ ...fields, bands: bands.filter(({ key }) => key !== band.key) })}
              />
            </li>
          ))}
        </ol>
        <Button
          look="outline"
          className="mt-3"
          disabled={bands.length >= MAX_BANDS}
          onClick={() => onChange(withBand(fields))}
        >
          <Plus aria-hidden />
          Add band
        </Button>
      </fieldset>
      {bands.length > 1 && (
        <RadioGroupField
          label="How the bands apply"
          options={KINDS}
          value={fields.kind}
          onChange={(kind) => onChange({ ...fields, kind })}
        />
      )}
      {bands.length > 1 && usesTax && (
        <RadioGroupField
          label="What the upper ends of the bands are measured on"
          options={EDGE_BASES}
          value={fields.edgeBase}
          onChange={(edgeBase) => onChange({ ...fields, edgeBase })}
        />
      )}
    </div>
  );
}

type BandRowProps = {
  band: BandFields;
  index: number;
  isLast: boolean;
  isOnly: boolean;
  errors: Readonly<Record<string, string>>;
  onChange: (part: Partial<BandFields>) => void;
  onRemove: () => void;
};

function BandRow(props: BandRowProps): React.JSX.Element {
  const { band, index, isLast, isOnly, errors, onChange, onRemove } = props;
  const field = (name: Exclude<keyof BandFields, 'key'>) => ({
    value: band[name],
    error: errors[`bands.${index}.${name}`],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.target.value }),
  });
  return (
    <fieldset
      aria-label={`Band ${index + 1}`}
      className="grid grid-cols-2 items-start gap-3 rounded-md border p-3 sm:grid-cols-3"
    >
      {isLast ? (
        <div>
          <p className="font-medium">Price up to</p>
          <p className="mt-1 flex h-11 items-center text-fg-muted md:h-10">
            {isOnly ? 'Every price' : 'Any higher'}
          </p>
        </div>
      ) : (
        <NumberField label="Price up to" unit="$" placeholder="15.00" {...field('upTo')} />
      )}
      <NumberField label="Percent" unit="%" placeholder="15" {...field('percent')} />
      <NumberField label="Of total with sales tax" unit="%" {...field('percentTaxed')} />
      <NumberField label="Per order" unit="$" {...field('fixed')} />
      <NumberField label="Per unit" unit="$" {...field('perUnit')} />
      <NumberField label="At least" unit="$" {...field('minimum')} />
      {!isLast && (
        <IconButton name={`Remove band ${index + 1}`} className="col-span-full ml-auto" onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </fieldset>
  );
}
