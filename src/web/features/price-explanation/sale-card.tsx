import type { PriceExplanation } from '#contract/explanation.ts';
import { Waterfall } from '#web/ui/chart/waterfall.tsx';
import { saleWaterfall, waterfallFinding } from './sale-waterfall.ts';
import { Section } from './section.tsx';

/** What is left of the price of one sale, part by part. */
export function SaleCard({ explanation }: { explanation: PriceExplanation }): React.JSX.Element {
  const bars = saleWaterfall(explanation);
  if (bars === null) {
    return (
      <Section title="One sale">
        <p className="text-fg-muted">
          What a sale earns is unknown: the price, a cost or the fees are missing in the data of this
          decision.
        </p>
      </Section>
    );
  }
  const finding = waterfallFinding(bars);
  return (
    <Section title={finding} caption="One sale">
      <Waterfall name={finding} bars={bars} />
    </Section>
  );
}
