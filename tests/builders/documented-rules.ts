/** One rule that the help pages of another repricer describe. */
export interface DocumentedRule {
  readonly by: string;
  /** The page that describes it, as read in November 2026. */
  readonly page: string;
  readonly rule: string;
  /** The same rule as lines; amounts and hours that the page leaves open are ours. Null where lines cannot say it. */
  readonly lines: string | null;
  /** Why lines cannot say it, or what they say differently; null where they say the same. */
  readonly note: string | null;
}

const BQOOL = 'https://support.bqool.com/hc/en-us/articles';
const INFORMED = 'help.informedrepricer.com/en/articles';
const UPWARDS = 'https://help.informed.co/en/articles/1651428-how-do-i-reprice-upwards';
const SELLER_SNAP = 'https://help.sellersnap.io';
const AURA = 'https://help.goaura.com/en/articles';
const REPRICER = 'https://support.repricer.com';
const XSELLCO = 'https://support.xsellco.com/creating-competitor-rules';
const STREET_PRICER = 'https://streetpricer.zendesk.com/hc/en-us/articles';

const TYPES = `${BQOOL}/205025008-How-to-Create-Edit-a-Rule-based-Rule`;
const GUIDE = 'https://ticket.bqool.com/kb/faq.php?id=307';
const STAY = `${BQOOL}/900002229026-Stay-in-Buy-Box-Settings`;
const OUTSIDE = `${BQOOL}/360019576034-Repricing-Rule-Feature-Competition-found-outside-Min-and-Max-Prices-Settings`;
const SCHEDULE = `${BQOOL}/7432250826777-Repricing-Schedule`;
const CONDITIONS = `${BQOOL}/7510127738393-Conditional-Repricing-of-FBA-Advanced-Conditions`;
const OWN = `http://${INFORMED}/2319357-build-your-own`;
const FEATURED = `http://${INFORMED}/1651389-compete-with-featured-merchants`;
const SUPPRESSED = `${SELLER_SNAP}/en/articles/10323194-suppressed-buybox`;
const MAVEN = `${AURA}/8701064-how-maven-s-logic-works`;
const ADJUST = `${AURA}/9000673-making-adjustments-to-rule-based-strategies`;
const APPLIED = `${REPRICER}/how-and-when-are-your-rules-applied`;

/** All rules that were found on these pages, the ones that cannot be said among them. */
export const DOCUMENTED_RULES: readonly DocumentedRule[] = [
  ...of('BQool', [
    [TYPES, 'Match the buy box; keep the price while it is ours', 'winning: hold; box'],
    [
      TYPES,
      'Go below the buy box; up to the maximum when it is at the minimum or lower',
      'winning: hold; losing: $0.01 under box, else next line; losing: ceiling',
    ],
    [
      TYPES,
      'Go below the buy box; raise while it is ours',
      'winning: raise $0.01 every 0.25 h up to $0.01 under the lowest; $0.01 under box',
    ],
    [
      TYPES,
      'Be the lowest of the FBA offers; raise while the buy box is ours',
      'winning: raise $0.01 every 0.25 h up to $0.01 under the lowest warehouse; $0.01 under the lowest warehouse',
    ],
    [TYPES, 'Be the lowest of all offers', '$0.01 under the lowest'],
    [GUIDE, 'Stay 3% below the buy box, at the minimum when it is there', '3% under box'],
    [
      GUIDE,
      'In the buy box, follow the next competitor up; otherwise go by the buy box price',
      'winning: $0.01 under the lowest; box',
    ],
    [
      STAY,
      'In the buy box, go a cent below the lowest competitor, down or up',
      'winning: $0.01 under the lowest',
    ],
    [
      `${BQOOL}/205745307-Rule-Based-How-to-Match-Competitors-Prices`,
      'Match the competitor: its price less nothing',
      'the lowest',
    ],
    [
      OUTSIDE,
      'An answer of its own for when all competitors are below the minimum',
      '$0.01 under the lowest, else next competitor; otherwise: ceiling',
    ],
    [
      OUTSIDE,
      'An answer of its own for when all competitors are above the maximum',
      '$0.01 under the lowest, not over ceiling',
    ],
    [SCHEDULE, 'In the hours of a schedule, the maximum price', 'hours 22 to 4: ceiling; $0.01 under box'],
    [SCHEDULE, 'On the days of a schedule, no repricing', 'days sat to sun: hold; $0.01 under box'],
    [
      CONDITIONS,
      'By the age of the stock, another rule',
      'stock age 181 days or more: 5% under the lowest; the lowest',
    ],
    [
      CONDITIONS,
      'By the days of supply, another rule',
      'supply 28 days or less: raise 2% every 24 h; $0.01 under the lowest',
    ],
    [
      CONDITIONS,
      'By the units sold in the last days, another rule',
      'sold 0 or less in 7 days: lower 2% every 24 h; the lowest',
    ],
    [
      CONDITIONS,
      'By the share of the buy box in the last 24 hours, another rule',
      'buy box share under 20%: 3% under box; winning: hold; box',
      'Our share is that of the last 6 hours.',
    ],
    [
      CONDITIONS,
      'By the sell-through rate of the last 90 days, another rule',
      null,
      'The stock of the last 90 days is not kept.',
    ],
    [
      CONDITIONS,
      'When the price was at the minimum for some days, another rule',
      null,
      'How long a price has been at the floor is not a condition; that it is there is one.',
    ],
    [
      `${BQOOL}/115004100828-General-Settings`,
      'When out of stock, a last change to the maximum price',
      'stock 0 or less: ceiling; box',
    ],
  ]),
  ...of('Informed', [
    [OWN, 'Go below the lowest offer by an amount', '$0.01 under the lowest'],
    [OWN, 'Compete with FBA offers only', '1% under the lowest warehouse'],
    [OWN, 'Compete with merchants only', 'the lowest merchant'],
    [OWN, 'Compete with FBA offers, without any with merchants', 'the lowest warehouse; the lowest merchant'],
    [OWN, 'Compete with FBA offers, without any with the buy box', 'the lowest warehouse; box'],
    [
      OWN,
      'Compete with FBA sellers by another amount than with merchants',
      'we ship: 1% under the lowest (5% under faster); 1% over the lowest (4% over slower)',
    ],
    [OWN, 'Compete with Amazon by an amount of its own', '1% under the lowest (2% under marketplace)'],
    [FEATURED, 'Without competition, no repricing', 'alone: hold; $0.01 under the lowest'],
    [FEATURED, 'Without competition, the minimum price', 'alone: floor; $0.01 under the lowest'],
    [FEATURED, 'Without competition, the maximum price', 'alone: ceiling; $0.01 under the lowest'],
    [
      FEATURED,
      'Without competition, by the sales so far',
      null,
      'How the price follows from the sales is not published.',
    ],
    [FEATURED, 'When the competition is below the minimum, no repricing', 'the lowest, else keep'],
    [FEATURED, 'When the competition is below the minimum, the minimum price', 'the lowest'],
    [
      FEATURED,
      'When the competition is below the minimum, the maximum price',
      'lowest competitor under my floor: ceiling; the lowest',
    ],
    [
      UPWARDS,
      'When our own price is at the minimum, the maximum price',
      'price at my floor: ceiling; the lowest',
    ],
    [
      UPWARDS,
      'Once the buy box is won, do not lower the price',
      'winning: the lowest, not under current price; box',
    ],
    [UPWARDS, 'Stay above the competitor by a share', '3% over the lowest'],
    [
      'https://help.informed.co/en/articles/6318852-private-label-algorithm',
      'Find the price that sells at a target speed',
      null,
      'How the price is found is not published.',
    ],
  ]),
  ...of('Seller Snap', [
    [
      `${SELLER_SNAP}/article/29-yo-yo-repricing-rule`,
      'To the maximum for 20 minutes every 180 minutes',
      'ceiling, for 0.33 h then not for 3 h; $0.01 under box',
      'Twelve seconds less: hours have two decimals.',
    ],
    [
      SUPPRESSED,
      'When no offer has the buy box, follow the lowest FBA offer, without one the next setting',
      'suppressed: the lowest warehouse; suppressed: the lowest merchant; box',
    ],
    [SUPPRESSED, 'When no offer has the buy box, the lowest of the settings', 'suppressed: the lowest; box'],
    [
      SUPPRESSED,
      'When no offer has the buy box, lower the price every fifteen minutes',
      'suppressed: lower 1% every 0.25 h; $0.01 under box',
    ],
    [
      SUPPRESSED,
      'When no offer has the buy box, back to the price at which one had it',
      null,
      'The price at which the buy box was last shown is not kept.',
    ],
    [
      `${SELLER_SNAP}/article/15-store-level-repricing-settings`,
      'Not more than a share below the buy box',
      'the lowest, not under 5% under box',
    ],
    [
      'https://sellersnap.helpscoutdocs.com/article/38-follow-multiple-related-asins',
      'Follow the buy boxes of related items',
      null,
      'Offers of other items are not read.',
    ],
  ]),
  ...of('Aura', [
    [ADJUST, 'Go below whichever offer has the buy box', '$0.05 under box'],
    [ADJUST, 'Match the targeted offer, or go above it by an amount', '$0.05 over the lowest'],
    [MAVEN, 'In the buy box, raise bit by bit until it is lost', 'winning: raise 1% every 4 h; box'],
    [
      MAVEN,
      'When no offer has the buy box, lower the price bit by bit',
      'suppressed: lower 1% every 6 h; box',
    ],
    [
      MAVEN,
      'Match sellers who match, and go below those who undercut',
      null,
      'What single sellers did before is not kept.',
    ],
  ]),
  ...of('Repricer.com', [
    [APPLIED, 'A cent below the competition', '$0.01 under the lowest'],
    [
      APPLIED,
      'Shipped by us and the competitor by Amazon: 5% below; of all prices the lowest',
      'we ship: $0.01 under the lowest (5% under faster)',
    ],
    [
      `${REPRICER}/sleep-mode`,
      'Once a day, hours without repricing',
      'hours 1 to 5: hold; $0.01 under the lowest',
    ],
    [
      `${REPRICER}/sleep-mode`,
      'Once a day, hours at the maximum price',
      'hours 1 to 5: ceiling; $0.01 under the lowest',
    ],
    [
      `${REPRICER}/what-is-an-out-of-bounds-seller-and-when-should-i-ignore-one`,
      'Ignore sellers below the minimum price',
      'the lowest, else next competitor',
    ],
    [XSELLCO, 'With much stock, more aggressive', 'stock 100 or more: 5% under the lowest; the lowest'],
    [
      XSELLCO,
      'By the age of the stock, another rule',
      'stock age 90 days or more: 3% under the lowest; the lowest',
    ],
    [
      `${REPRICER}/sales-rules-settings`,
      'More than 15 orders in the last week: change the price',
      'sold 16 or more in 7 days: raise 2% every 24 h; hold',
      'Units instead of orders.',
    ],
    [
      `${REPRICER}/velocity-sales-rules`,
      'Sales rose by a share against the days before: change the price',
      null,
      'Sales of two periods are not compared.',
    ],
    [
      'http://help.repricerexpress.com/knowledge_base/topics/what-are-the-differences-between-formula-based-pricing-rules-and-competition-based-pricing-rules',
      'The eBay price from the Amazon price',
      '5% over my amazon price',
    ],
  ]),
  ...of('StreetPricer', [
    [`${STREET_PRICER}/360013505371`, 'Match the competitor', 'the lowest'],
    [`${STREET_PRICER}/360013505371`, 'Fifty cents below the competitor', '$0.50 under the lowest'],
    [
      `${STREET_PRICER}/360013505371`,
      'By sales or none, whatever competitors do',
      'no sale for 14 days: lower 2% every 24 h; hold',
    ],
    [
      'https://streetpricer.com/blog/articles/price-recovery-a-necessary-repricing-feature/',
      'Lower step by step to the minimum, then back to the maximum',
      'price at my floor: ceiling; lower 2% every 24 h',
    ],
  ]),
];

type Row = readonly [page: string, rule: string, lines: string | null, note?: string];

function of(by: string, rows: readonly Row[]): DocumentedRule[] {
  return rows.map(([page, rule, lines, note]) => ({ by, page, rule, lines, note: note ?? null }));
}

/** A page that works a rule out in prices. All offers ship like ours; prices are what the buyer pays, in dollars. */
export interface WorkedPage {
  readonly page: string;
  readonly lines: string;
  readonly ours: number;
  /** What the buyer pays us for shipping. */
  readonly shipping: number;
  /** Our lowest price, without shipping. */
  readonly floor: number;
  readonly competitors: readonly number[];
  readonly hasBox: boolean;
  /** Our price without shipping. */
  readonly price: number;
}

const plain = { shipping: 0, floor: 5, hasBox: false };

export const WORKED_PAGES: readonly WorkedPage[] = [
  {
    ...plain,
    page: STAY,
    lines: 'winning: $0.01 under the lowest',
    ours: 15,
    competitors: [14, 16],
    hasBox: true,
    price: 13.99,
  },
  {
    ...plain,
    page: STAY,
    lines: 'winning: $0.01 under the lowest',
    ours: 13.99,
    competitors: [14.5, 16],
    hasBox: true,
    price: 14.49,
  },
  {
    ...plain,
    page: STAY,
    lines: 'winning: $0.01 under the lowest',
    ours: 11,
    competitors: [11, 12],
    hasBox: true,
    price: 10.99,
  },
  {
    ...plain,
    page: `${STREET_PRICER}/360013517651-Reports-AutoPrice`,
    lines: '$0.01 under the lowest',
    ours: 26.95,
    floor: 21,
    competitors: [17.93],
    price: 21,
  },
  {
    ...plain,
    page: `${STREET_PRICER}/360013517651-Reports-AutoPrice`,
    lines: '$0.01 under the lowest',
    ours: 120.93,
    floor: 115.59,
    competitors: [120.92],
    price: 120.91,
  },
  {
    ...plain,
    page: `${STREET_PRICER}/360015319512-Floor-Price-and-AutoPrice-calculations`,
    lines: 'the lowest',
    ours: 110,
    shipping: 30,
    floor: 100,
    competitors: [120, 120, 135],
    price: 100,
  },
  {
    ...plain,
    page: `${STREET_PRICER}/360015319512-Floor-Price-and-AutoPrice-calculations`,
    lines: 'the lowest',
    ours: 130,
    floor: 100,
    competitors: [120, 120, 135],
    price: 120,
  },
];
