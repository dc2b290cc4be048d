import type { Marketplace } from '#domain/marketplaces.ts';

/** Color and shape of each marketplace, the same on every screen: the shape identifies it without the color. */
const MARKS: Record<Marketplace, { color: string; path: string }> = {
  walmart: { color: 'fill-series-walmart', path: 'M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10z' },
  amazon: { color: 'fill-series-amazon', path: 'M1.5 1.5h9v9h-9z' },
  michaels: { color: 'fill-series-michaels', path: 'M6 0.8l5.6 10H0.4z' },
  ebay: { color: 'fill-series-ebay', path: 'M6 0l6 6l-6 6l-6-6z' },
  etsy: { color: 'fill-series-etsy', path: 'M4 1h4v3h3v4h-3v3h-4v-3h-3v-4h3z' },
  shopify: { color: 'fill-series-shopify', path: 'M3 0.8h6l3 5.2l-3 5.2h-6l-3-5.2z' },
};

/** The marketplace's symbol; its name is shown next to it. */
export function MarketplaceMark({ marketplace }: { marketplace: Marketplace }): React.JSX.Element {
  const { color, path } = MARKS[marketplace];
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className={`size-3 ${color}`}>
      <path d={path} />
    </svg>
  );
}
