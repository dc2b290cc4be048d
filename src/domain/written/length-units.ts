/** The units of length in sellers' files. */
export const LENGTH_UNITS = ['in', 'ft', 'cm', 'mm'] as const;
export type LengthUnit = (typeof LENGTH_UNITS)[number];

/** How people write them, in lower case. */
export const LENGTH_UNIT_WORDS: Readonly<Record<LengthUnit, readonly string[]>> = {
  in: ['in', 'ins', 'inch', 'inches', '"', '″', "''"],
  ft: ['ft', 'foot', 'feet', "'", '′'],
  cm: ['cm', 'cms', 'centimeter', 'centimeters', 'centimetre', 'centimetres'],
  mm: ['mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres'],
};

/** By definition: an inch is 2.54 cm, and a foot 12 inches. */
const INCHES_IN: Readonly<Record<LengthUnit, (amount: number) => number>> = {
  in: (amount) => amount,
  ft: (amount) => amount * 12,
  cm: (amount) => amount / 2.54,
  mm: (amount) => amount / 25.4,
};

/** A length in inches, to the four decimals used in files. @param amount in `unit`, zero or more */
export function inchesOf(amount: number, unit: LengthUnit): number {
  return unit === 'in' ? amount : Number(INCHES_IN[unit](amount).toFixed(4));
}
