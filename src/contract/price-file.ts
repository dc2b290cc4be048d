import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Moment } from './fields.ts';

/** GET /api/price-file/:marketplace.csv: the prices to upload to a marketplace without a connection. */
export const PriceFileParams = z.strictObject({ marketplace: z.enum(MARKETPLACES) });

/** Response header with the timestamp of the file, ISO 8601 in UTC: it identifies this exact file. */
export const PRICE_FILE_MOMENT = 'x-price-file-moment';

/**
 * Response header with the number of waiting prices that are not in the file, because they are below the
 * minimum margin at current costs and fees.
 */
export const PRICE_FILE_HELD_BACK = 'x-price-file-held-back';

/** POST /api/price-file/:marketplace/uploaded: that file was uploaded. `upTo` is its timestamp. */
export const PriceFileUploaded = z.strictObject({ upTo: Moment });

/** Prices applied after the file was made stay marked, and are counted in `waiting`. */
export const PriceFileCleared = z.object({ cleared: z.int(), waiting: z.int() });
export type PriceFileCleared = z.output<typeof PriceFileCleared>;
