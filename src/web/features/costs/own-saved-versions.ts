import type { CostRow } from '#contract/cost-list.ts';
import type { SeenVersions } from './cost-drafts.ts';

/** Versions that our own saves replaced, so that they are not mistaken for changes by other users. */
export interface OwnSavedVersions {
  /** The current version after our own saves; a version that another user changed stays as seen. */
  readonly latest: (row: Pick<CostRow, 'listingId' | 'sku'>, seen: SeenVersions) => SeenVersions;
  readonly note: (row: Pick<CostRow, 'listingId' | 'sku'>, sent: SeenVersions, got: SeenVersions) => void;
}

export function createOwnSavedVersions(): OwnSavedVersions {
  const moves = new Map<string, number>();
  const follow = (what: string, version: number): number => {
    const next = moves.get(`${what} ${version}`);
    return next === undefined ? version : follow(what, next);
  };
  const add = (what: string, from: number, to: number): void => {
    if (from !== to) moves.set(`${what} ${from}`, to);
  };
  return {
    latest: ({ listingId, sku }, { version, skuVersion }) => ({
      version: follow(`listing ${listingId}`, version),
      skuVersion: skuVersion === null ? null : follow(`sku ${sku}`, skuVersion),
    }),
    note: ({ listingId, sku }, sent, got) => {
      add(`listing ${listingId}`, sent.version, got.version);
      if (sent.skuVersion !== null && got.skuVersion !== null)
        add(`sku ${sku}`, sent.skuVersion, got.skuVersion);
    },
  };
}
