import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';

/** What actions on SKUs need from outside. */
export interface SkuDeps {
  readonly db: Db;
  readonly now: () => Instant;
}

export function skuNotFound(): AppError {
  return new AppError('not_found', 'This SKU does not exist or was deleted.');
}
