import { z } from 'zod';
import { BUSINESS_PRICE_POLICIES } from '#domain/sending/business-plan.ts';

/**
 * PUT /api/connections/{marketplace}/business-prices (admin): whether prices for business buyers follow the regular
 * price. 404 where a marketplace has none.
 */
export const BusinessPriceSetting = z.strictObject({ policy: z.enum(BUSINESS_PRICE_POLICIES) });
