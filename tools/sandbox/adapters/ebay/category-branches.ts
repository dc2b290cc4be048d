/** A top category of eBay with one of its leaves. */
export interface Branch {
  readonly id: string;
  readonly name: string;
  readonly leaf: string;
}

const OTHER: Branch = { id: '99', name: 'Everything Else', leaf: '88433' };

/** The part of eBay's tree that the items of the sandbox are in: a top category with one leaf for each of theirs. */
export const BRANCHES: Readonly<Record<string, Branch>> = {
  Apparel: { id: '11450', name: 'Clothing, Shoes & Accessories', leaf: '11484' },
  Books: { id: '267', name: 'Books & Magazines', leaf: '261186' },
  Craft: { id: '14339', name: 'Crafts', leaf: '28111' },
  Electronics: { id: '293', name: 'Consumer Electronics', leaf: '111694' },
  Grocery: OTHER,
  Home: { id: '11700', name: 'Home & Garden', leaf: '20625' },
  Jewelry: { id: '281', name: 'Jewelry & Watches', leaf: '155101' },
};

/** The leaf that an item of this category is offered in. */
export function categoryIdOf(category: string): string {
  return (BRANCHES[category] ?? OTHER).leaf;
}
