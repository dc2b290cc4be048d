import { useQuery } from '@tanstack/react-query';
import type { AnalyticsRange, CompetitorPrice } from '#contract/listing-analytics.ts';
import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { formatCount, formatMoney } from '#web/lib/format.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { Figure, FigureSkeletons, Figures } from '#web/ui/figures.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { CompetitionNote } from './competition-note.tsx';
import { FetchedNote } from './fetched-note.tsx';
import { PriceSection } from './price-section.tsx';
import { competitorsQuery } from './queries.ts';
import { tabFailed } from './tab-failed.tsx';

const LABELS = ['Amazon Direct', 'Walmart Direct', 'Third-Party Sellers', 'Buy Box Winner'] as const;

type CompetitorsTabProps = {
  id: string;
  marketplace: Marketplace | null;
  range: AnalyticsRange;
  onRange: (range: AnalyticsRange) => void;
};

/** Competitors' prices for the same item, now and before. */
export function CompetitorsTab({ id, marketplace, range, onRange }: CompetitorsTabProps): React.JSX.Element {
  const query = useQuery(competitorsQuery(id, marketplace));
  return (
    <div className="flex flex-col gap-4">
      <CompetitionNote id={id} marketplace={marketplace} />
      <QueryView
        query={query}
        loading={<FigureSkeletons labels={LABELS} testId="panel-skeleton" />}
        failed={tabFailed('Failed to load competitor pricing', query)}
      >
        {([newest]) =>
          newest === undefined ? (
            <EmptyNote>
              <p>No competitor pricing data available</p>
              {marketplace !== null && <p className="mt-1 text-sm">{noCompetitorsText(marketplace)}</p>}
            </EmptyNote>
          ) : (
            <CompetitorFigures newest={newest} />
          )
        }
      </QueryView>
      <PriceSection id={id} range={range} onRange={onRange} />
    </div>
  );
}

/** Why there may be no data, and its source. */
function noCompetitorsText(marketplace: Marketplace): string {
  const name = MARKETPLACE_NAMES[marketplace];
  return CAPABILITIES[marketplace].competitors === 'none'
    ? `${name} does not share competitor offers. Import them under Imports.`
    : `They arrive with the next sync once ${name} is connected, or import them under Imports.`;
}

function CompetitorFigures({ newest }: { newest: CompetitorPrice }): React.JSX.Element {
  const [amazon, walmart, third, buyBox] = LABELS;
  const { buyBoxPrice, thirdPartyMinPrice, thirdPartyAvgPrice, thirdPartyMaxPrice } = newest;
  return (
    <>
      <Figures>
        <Figure label={amazon}>{directPrice(newest.amazonDirectPrice)}</Figure>
        <Figure label={walmart}>{directPrice(newest.walmartDirectPrice)}</Figure>
        <Figure
          label={third}
          note={
            <>
              Min {priceOrUnknown(thirdPartyMinPrice)}
              <br />
              Avg {priceOrUnknown(thirdPartyAvgPrice)}
              <br />
              Max {priceOrUnknown(thirdPartyMaxPrice)}
            </>
          }
        >
          {formatCount(newest.thirdPartySellerCount)}
        </Figure>
        {buyBoxPrice !== null && (
          <Figure label={buyBox} note={winner(newest)}>
            {formatMoney(buyBoxPrice)}
          </Figure>
        )}
      </Figures>
      <FetchedNote label="Last updated" at={newest.lastSeenAt} staleAt={newest.staleAt} />
    </>
  );
}

function directPrice(amount: string | null): string {
  return amount === null ? 'Not selling' : formatMoney(amount);
}

function priceOrUnknown(amount: string | null): string {
  return amount === null ? 'N/A' : formatMoney(amount);
}

function winner({ buyBoxSeller, isBuyBoxOurs }: CompetitorPrice): string {
  if (isBuyBoxOurs) return buyBoxSeller === null ? 'You' : `${buyBoxSeller} (you)`;
  return buyBoxSeller ?? 'Seller unknown';
}
