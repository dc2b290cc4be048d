import { simulatedMarketplaces } from '#tests/support/fault-shop.ts';
import { faultTable } from '#tests/support/fault-table.ts';

// The table in two files: two workers share it.
faultTable((await simulatedMarketplaces()).filter((_, at) => at % 2 === 1));
