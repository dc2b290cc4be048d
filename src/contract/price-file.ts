import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Moment } from './wire.ts';

/** GET /api/price-file/:marketplace.csv: the prices to upload to a marketplace that is served by file. */
export const PriceFileParams = z.strictObject({ marketplace: z.enum(MARKETPLACES) });

/** The header of its answer with the moment of the file, ISO 8601 in UTC: it names exactly this file. */
export const PRICE_FILE_MOMENT = 'x-price-file-moment';

/** The header with how many prices wait and are not in the file: by today's costs and fees they break their minimum margin. */
export const PRICE_FILE_HELD_BACK = 'x-price-file-held-back';

/** POST /api/price-file/:marketplace/uploaded: that file was uploaded. `upTo` is its moment. */
export const PriceFileUploaded = z.strictObject({ upTo: Moment });

/** Prices that were taken after the file was made stay marked, and are counted in `waiting`. */
export const PriceFileCleared = z.object({ cleared: z.int(), waiting: z.int() });
export type PriceFileCleared = z.output<typeof PriceFileCleared>;
