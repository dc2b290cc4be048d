import { z } from 'zod';

/** A brand or a supplier: null and a blank are none. Files and filters hold several of them with | between. */
export const Label = z
  .string()
  .trim()
  .max(200, 'At most 200 characters')
  .regex(/^[^|]*$/, 'Without |')
  .nullable()
  .transform((text) => text || null);
