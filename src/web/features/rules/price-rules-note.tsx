/**
 * What a seller has to mind where a template raises prices: Amazon's Marketplace Fair Pricing Policy and Walmart's
 * pricing rules, and that a seller decides on own prices alone.
 */
export function PriceRulesNote(): React.JSX.Element {
  return (
    <p className="max-w-[70ch] text-sm text-fg-muted">
      Rules set your prices alone, from offers that everyone can see: do not agree on prices with other
      sellers. Marketplaces have price rules too. Amazon can hide offers far above recent prices, and Walmart
      can unpublish items that cost less elsewhere: set a maximum price where that matters.
    </p>
  );
}
