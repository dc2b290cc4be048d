import { typedMoney, typedNumber } from '#web/lib/typed-numbers.ts';
import { LONGEST_TAGS_TEXT } from '#web/lib/typed-tags.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { EditSkuField, SkuErrors, SkuField, SkuTextField, SkuTexts } from './sku-form.ts';

type SkuFieldsetProps = {
  texts: SkuTexts;
  /** Errors to show now. */
  errors: SkuErrors;
  /** Listings refer to an existing SKU by its code: it cannot be changed. */
  isStored: boolean;
  /** Shown under the code. */
  codeNote?: React.ReactNode;
  codeRef?: React.Ref<HTMLInputElement>;
  onChange: EditSkuField;
  onLeave: (field: SkuField) => void;
};

/** The fields of one SKU, new or stored. */
export function SkuFieldset(props: SkuFieldsetProps): React.JSX.Element {
  const { texts, errors, isStored, codeNote, codeRef, onChange, onLeave } = props;
  const field = (name: SkuTextField) => ({
    value: texts[name],
    error: errors[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => onChange(name, event.target.value),
    onBlur: () => onLeave(name),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div>
        <TextField
          ref={codeRef}
          label="SKU"
          className="font-mono"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          readOnly={isStored}
          aria-required={!isStored}
          hint={
            isStored
              ? 'Listings and bundles are matched by SKU, so it cannot be changed.'
              : 'The SKU of its listings on every marketplace.'
          }
          {...field('sku')}
        />
        {codeNote}
      </div>
      <TextField label="Name" autoComplete="off" maxLength={500} aria-required {...field('name')} />
      <NumberField
        label="Product Cost"
        unit="$"
        placeholder="4.20"
        aria-required={!isStored}
        hint={productCostHint(texts.productCost, isStored)}
        {...field('productCost')}
      />
      <NumberField
        label="Weight (oz)"
        unit="oz"
        placeholder="12.5"
        aria-required={!isStored}
        hint={weightHint(texts.weightOz, isStored)}
        {...field('weightOz')}
      />
      <fieldset className="sm:col-span-2">
        <legend className="text-sm font-medium">Size of one packed unit</legend>
        <div className="mt-1.5 grid grid-cols-3 gap-2 sm:gap-4">
          <NumberField label="Length (in)" unit="in" placeholder="12" {...field('lengthIn')} />
          <NumberField label="Width (in)" unit="in" placeholder="10" {...field('widthIn')} />
          <NumberField label="Height (in)" unit="in" placeholder="6" {...field('heightIn')} />
        </div>
        <p className="mt-1.5 text-sm text-fg-muted">
          Size and weight determine the estimated FBA/WFS fee. Leave blank if unknown.
        </p>
      </fieldset>
      <Checkbox
        className="sm:col-span-2"
        label="Hazardous goods"
        hint="Dangerous goods (hazmat) for FBA or WFS. WFS charges $0.50 more for each unit. FBA has fees that cannot be estimated: its listings are not repriced until the fee is reported or entered."
        checked={texts.isHazardous}
        onChange={(isHazardous) => onChange('isHazardous', isHazardous)}
      />
      <NumberField label="Packaging Cost" unit="$" placeholder="0.00" {...field('packagingCost')} />
      <NumberField
        label="Misc Cost"
        unit="$"
        placeholder="0.00"
        hint="Anything else per unit, such as freight to an FBA/WFS warehouse."
        {...field('miscCost')}
      />
      <TextField
        label="Veeqo ID"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        hint="Optional. Its ID in Veeqo."
        {...field('veeqoId')}
      />
      <TextField
        label="Brand"
        autoComplete="off"
        maxLength={200}
        hint="Optional. Who makes it."
        {...field('brand')}
      />
      <TextField
        label="Supplier"
        autoComplete="off"
        maxLength={200}
        hint="Optional. Who you buy it from."
        {...field('supplier')}
      />
      <TextField
        label="Tags"
        autoComplete="off"
        maxLength={LONGEST_TAGS_TEXT}
        hint='Optional. Separate tags with commas; put a tag that contains a comma in "quotes".'
        {...field('tags')}
      />
    </div>
  );
}

function productCostHint(text: string, isStored: boolean): string {
  if (typedMoney(text) === '0.00') return 'A cost of 0.00 means unknown. Its listings are not repriced.';
  if (isStored && text.trim() === '') return 'Blank means unknown. Its listings are not repriced.';
  return 'Your cost to buy or make one unit.';
}

function weightHint(text: string, isStored: boolean): string {
  if (typedNumber(text) === 0) return 'A weight of 0 means unknown. No shipping tier applies.';
  if (isStored && text.trim() === '') return 'Blank means unknown. No shipping tier applies.';
  return 'Determines the shipping tier and the estimated FBA/WFS fee.';
}
