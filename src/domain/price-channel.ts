/**
 * How prices of a marketplace go out, as far as the settings say. `file`: none of its secrets was ever stored.
 * `connected`: switched on, with everything that is needed. `read_only`: the same, but nobody has let prices be sent
 * there, so that they are only recommended. `paused`: a secret is stored, and it is off or something is missing. The
 * database works out the same, see `settings_price_channels()`.
 */
export const PRICE_CHANNELS = ['file', 'connected', 'read_only', 'paused'] as const;
export type PriceChannel = (typeof PRICE_CHANNELS)[number];
