import type { Marketplace } from '#domain/marketplaces.ts';

/** Color and shape of each marketplace, the same on every screen: the shape identifies it without the color. */
const MARKS: Record<Marketplace, { colour: string; path: string }> = {
  walmart: { colour: 'fill-series-walmart', path: 'M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10z' },
  amazon: { colour: 'fill-series-amazon', path: 'M1.5 1.5h9v9h-9z' },
  michaels: { colour: 'fill-series-michaels', path: 'M6 0.8l5.6 10H0.4z' },
  ebay: { colour: 'fill-series-ebay', path: 'M6 0l6 6l-6 6l-6-6z' },
  etsy: { colour: 'fill-series-etsy', path: 'M4 1h4v3h3v4h-3v3h-4v-3h-3v-4h3z' },
  shopify: { colour: 'fill-series-shopify', path: 'M3 0.8h6l3 5.2l-3 5.2h-6l-3-5.2z' },
};

/** The marketplace's symbol; its name is shown next to it. */
export function MarketplaceMark({ marketplace }: { marketplace: Marketplace }): React.JSX.Element {
  const { colour, path } = MARKS[marketplace];
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className={`size-3 ${colour}`}>
      <path d={path} />
    </svg>
  );
}
