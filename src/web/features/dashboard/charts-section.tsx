import { useId } from 'react';
import { MarginChart } from './margin-chart.tsx';
import { PriceChangesChart } from './price-changes-chart.tsx';

/** Listings by margin, and price changes by day. */
export function ChartsSection(): React.JSX.Element {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h2 id={headingId} className="text-lg font-semibold">
        Margins and price changes
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <MarginChart />
        <PriceChangesChart />
      </div>
    </section>
  );
}
