/**
 * How prices reach a marketplace, according to the settings. `file`: no secret is stored.
 * `connected`: turned on with all required credentials. `read_only`: the same, but sending prices is turned off, so
 * that they are only recommended. `paused`: a secret is stored, but the marketplace is off or a credential is missing.
 * The database function `settings_price_channels()` returns the same.
 */
export const PRICE_CHANNELS = ['file', 'connected', 'read_only', 'paused'] as const;
export type PriceChannel = (typeof PRICE_CHANNELS)[number];
