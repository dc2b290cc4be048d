/** What an API token may do, in the order of lists. Each is one permission; none includes another one. */
export const API_SCOPES = ['read', 'prices', 'catalog', 'engine'] as const;
export type ApiScope = (typeof API_SCOPES)[number];
