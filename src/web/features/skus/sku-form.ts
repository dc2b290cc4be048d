import type { NewSkuForm, Sku, SkuFieldsForm } from '#contract/skus.ts';
import { isWeightStep } from '#contract/tiers.ts';
import { MAX_INCHES } from '#domain/fees/warehouse-fee.ts';
import { MAX_OUNCES } from '#domain/written/weight-units.ts';
import { typedMoney, typedNumber } from '#web/lib/typed-numbers.ts';
import { tagsText, typedTags } from '#web/lib/typed-tags.ts';

/** The fields of a SKU as typed. */
export interface SkuTexts {
  sku: string;
  name: string;
  productCost: string;
  weightOz: string;
  lengthIn: string;
  widthIn: string;
  heightIn: string;
  packagingCost: string;
  miscCost: string;
  veeqoId: string;
  brand: string;
  supplier: string;
  /** "kitchen, blue" */
  tags: string;
  isHazardous: boolean;
}
export type SkuField = keyof SkuTexts;
/** The fields that are typed. */
export type SkuTextField = Exclude<SkuField, 'isHazardous'>;
/** Takes a new value of a field. */
export type EditSkuField = <Field extends SkuField>(field: Field, value: SkuTexts[Field]) => void;
export type SkuErrors = Partial<Readonly<Record<SkuField, string>>>;

export const EMPTY_SKU: SkuTexts = {
  sku: '',
  name: '',
  productCost: '',
  weightOz: '',
  lengthIn: '',
  widthIn: '',
  heightIn: '',
  packagingCost: '0',
  miscCost: '0',
  veeqoId: '',
  brand: '',
  supplier: '',
  tags: '',
  isHazardous: false,
};

/** Required fields of a new SKU. */
const REQUIRED = {
  sku: 'Enter the SKU',
  name: 'Enter a name',
  productCost: 'Enter the cost of one unit, such as 4.20',
  weightOz: 'Enter ounces, such as 12 or 12.5',
} as const satisfies Partial<Record<SkuTextField, string>>;

/** The parsed fields of the Add dialog. */
export interface NewSkuReading {
  /** Null while a required field is empty, or one is invalid. */
  readonly form: NewSkuForm | null;
  readonly errors: SkuErrors;
  readonly isMissing: boolean;
}

/** Parses the fields of a new SKU. */
export function readNewSku(texts: SkuTexts): NewSkuReading {
  const missing = Object.entries(REQUIRED).filter(([field]) => texts[field as SkuTextField].trim() === '');
  const values = readValues(texts, null);
  const errors: SkuErrors = { ...values.errors, ...Object.fromEntries(missing) };
  const { productCost, weightOz, ...rest } = values.fields;
  const isWhole = Object.keys(errors).length === 0 && productCost !== null && weightOz !== null;
  return {
    form: isWhole ? { ...rest, sku: texts.sku.trim(), productCost, weightOz } : null,
    errors,
    isMissing: missing.length > 0,
  };
}

/** The fields of a stored SKU, to edit it. */
export function textsOf(sku: Sku): SkuTexts {
  return {
    sku: sku.sku,
    name: sku.name,
    productCost: sku.productCost ?? '',
    weightOz: sku.weightOz === null ? '' : String(sku.weightOz),
    lengthIn: sku.lengthIn === null ? '' : String(sku.lengthIn),
    widthIn: sku.widthIn === null ? '' : String(sku.widthIn),
    heightIn: sku.heightIn === null ? '' : String(sku.heightIn),
    packagingCost: sku.packagingCost,
    miscCost: sku.miscCost,
    veeqoId: sku.veeqoId ?? '',
    brand: sku.brand ?? '',
    supplier: sku.supplier ?? '',
    tags: tagsText(sku.tags),
    isHazardous: sku.isHazardous,
  };
}

/** The parsed fields of the Edit dialog, compared to the stored values. */
export interface SkuEditReading {
  /** The changed fields; null while one is invalid. */
  readonly changed: SkuFieldsForm | null;
  /** Those of them that affect a listing's cost; null if there are none. */
  readonly costs: SkuFieldsForm | null;
  readonly errors: SkuErrors;
}

/** Parses the fields of an edited SKU. An empty cost or weight is unknown. */
export function readSkuEdit(texts: SkuTexts, stored: Sku): SkuEditReading {
  const { fields, errors: problems } = readValues(texts, stored);
  const errors = { ...problems, ...(texts.name.trim() === '' ? { name: REQUIRED.name } : {}) };
  if (Object.keys(errors).length > 0) return { changed: null, costs: null, errors };
  const { name, veeqoId, brand, supplier, tags, ...costs } = fields;
  const changedCosts = differing(costs, stored);
  return {
    changed: { ...differing({ name, veeqoId, brand, supplier, tags }, stored), ...changedCosts },
    costs: Object.keys(changedCosts).length === 0 ? null : changedCosts,
    errors,
  };
}

interface Values {
  readonly name: string;
  readonly productCost: string | null;
  readonly weightOz: number | null;
  readonly lengthIn: number | null;
  readonly widthIn: number | null;
  readonly heightIn: number | null;
  readonly isHazardous: boolean;
  readonly packagingCost: string;
  readonly miscCost: string;
  readonly veeqoId: string | null;
  readonly brand: string | null;
  readonly supplier: string | null;
  readonly tags: string[];
}

/** An empty value is unknown or 0.00; an invalid one is reported and counts as empty. */
function readValues(texts: SkuTexts, stored: Sku | null): { fields: Values; errors: SkuErrors } {
  const errors: Partial<Record<SkuField, string>> = {};
  const money = (field: 'productCost' | 'packagingCost' | 'miscCost'): string | null => {
    if (texts[field].trim() === '') return null;
    const amount = typedMoney(texts[field]);
    if (amount !== null && !amount.startsWith('-')) return amount;
    errors[field] = 'Enter 0.00 or more, such as 4.20';
    return null;
  };
  const tags = typedTags(texts.tags);
  // The separator of tags in files.
  for (const field of ['brand', 'supplier', 'tags'] as const) {
    if (texts[field].includes('|')) errors[field] = 'Remove the | character';
  }
  const fields = {
    name: texts.name.trim(),
    productCost: money('productCost'),
    weightOz: readWeight(texts.weightOz, stored, errors),
    lengthIn: readInches('lengthIn', texts, stored, errors),
    widthIn: readInches('widthIn', texts, stored, errors),
    heightIn: readInches('heightIn', texts, stored, errors),
    isHazardous: texts.isHazardous,
    packagingCost: money('packagingCost') ?? '0.00',
    miscCost: money('miscCost') ?? '0.00',
    veeqoId: texts.veeqoId.trim() || null,
    brand: texts.brand.trim() || null,
    supplier: texts.supplier.trim() || null,
    tags,
  };
  return { fields, errors };
}

function readWeight(
  text: string,
  stored: Sku | null,
  errors: Partial<Record<SkuField, string>>,
): number | null {
  if (text.trim() === '') return null;
  const weight = typedNumber(text);
  if (weight === null) errors.weightOz = REQUIRED.weightOz;
  else if (weight > MAX_OUNCES) errors.weightOz = 'Enter at most 1,000,000 oz';
  else if (weight !== stored?.weightOz && !isWeightStep(weight)) {
    errors.weightOz = 'Enter at most four decimals, such as 12.5';
  } else return weight;
  return null;
}

function readInches(
  field: 'lengthIn' | 'widthIn' | 'heightIn',
  texts: SkuTexts,
  stored: Sku | null,
  errors: Partial<Record<SkuField, string>>,
): number | null {
  const text = texts[field];
  if (text.trim() === '') return null;
  const inches = typedNumber(text);
  if (inches === null) errors[field] = 'Enter inches, such as 12 or 12.5';
  else if (inches > MAX_INCHES) errors[field] = 'Enter at most 10,000 in';
  else if (inches !== stored?.[field] && !isWeightStep(inches)) {
    errors[field] = 'Enter at most four decimals, such as 12.5';
  } else return inches;
  return null;
}

function differing(values: Partial<Values>, stored: Sku): SkuFieldsForm {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(stored[field as keyof Values]),
    ),
  );
}
