import { Card } from '#web/ui/card.tsx';
import { BarChart, ChartSkeleton, TimeChart } from '#web/ui/chart/charts.tsx';
import { Waterfall } from '#web/ui/chart/waterfall.tsx';
import { Sample, SampleGroup } from './sample.tsx';

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 10, 1);
const MOMENTS = [0, 1, 2, 3].map((day) => FROM + day * DAY);
const PROFITS = [420, 510, null, 584];

/** Charts, with their skeleton. */
export function ChartSamples(): React.JSX.Element {
  return (
    <SampleGroup name="Charts">
      <Sample name="BarChart">
        <Card className="w-full">
          <BarChart
            title="3 of 20 listings lose money"
            columns={['Margin', 'Listings']}
            bars={[
              { key: 'loss', label: 'Loss', value: 3, text: '3', tone: 'danger' },
              { key: 'rest', label: '15%+', value: 17, text: '17', tone: 'strong' },
            ]}
            formatValue={String}
          />
        </Card>
      </Sample>
      <Sample name="TimeChart">
        <Card className="w-full">
          <TimeChart
            title="The best day was Nov 4 with $584"
            range={{ from: FROM, to: FROM + 3 * DAY }}
            layers={[
              { kind: 'event', name: 'Amazon live', at: FROM + DAY },
              {
                kind: 'line',
                name: 'Profit',
                style: 'solid',
                color: 'own',
                isOfSums: true,
                values: MOMENTS.map((at, index) => ({ at, value: PROFITS[index] ?? null })),
              },
            ]}
            moments={MOMENTS}
            data={{
              columns: ['Day', 'Profit'],
              points: MOMENTS.map((at, index) => ({
                key: String(at),
                cells: [{ text: `Nov ${index + 1}` }, { text: `$${PROFITS[index] ?? 'unknown'}` }],
              })),
            }}
            formatValue={(value) => `$${value}`}
          />
        </Card>
      </Sample>
      <Sample name="Waterfall">
        <Card className="w-full">
          <Waterfall
            name="Of $38.49, $11.38 stays"
            bars={[
              { key: 'a', label: 'Price', from: 0, to: 3849, text: '$38.49', tone: 'own' },
              {
                key: 'b',
                label: 'Fees',
                note: '15.0%',
                from: 3849,
                to: 3272,
                text: '−$5.77',
                tone: 'neutral',
              },
              { key: 'c', label: 'Packaging', from: 3272, to: 1138, text: '−$21.34', tone: 'neutral' },
              {
                key: 'd',
                label: 'Profit',
                note: '29.6%',
                from: 0,
                to: 1138,
                text: '$11.38',
                tone: 'success',
              },
            ]}
          />
        </Card>
      </Sample>
      <Sample name="ChartSkeleton">
        <Card className="w-full">
          <ChartSkeleton />
        </Card>
      </Sample>
    </SampleGroup>
  );
}
