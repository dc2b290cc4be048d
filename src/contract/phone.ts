import { z } from 'zod';

const PHONE_MAX = 40;

// Five digits or more in any grouping, and an extension in one of the usual notations.
const PHONE = /^(?:[ +()./-]*[0-9]){5}[0-9 +()./-]*(?:[,;]? ?(?:x|#|ext\.?|extension):? ?[0-9]{1,8})?$/i;

/** Normalizes what contacts and web pages insert (direction marks, long dashes) to what a keyboard types. */
function tidy(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s/g, ' ')
    .trim();
}

/**
 * A phone number in any usual notation: "+1 (555) 010-0100", "030/12 34 56", "555.0100 ext. 12". Stored as
 * typed, after {@link tidy}; Pricewright never dials it, so it is not checked to exist.
 */
export const PhoneNumber = z
  .string()
  .overwrite(tidy)
  .min(1, { error: 'Enter your phone number', abort: true })
  .max(PHONE_MAX, { error: `Phone number must be at most ${PHONE_MAX} characters`, abort: true })
  .regex(PHONE, 'Enter a phone number with at least 5 digits, such as +1 555 010 0100 or 555.0100 ext. 12');
