import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Card } from '#web/ui/card.tsx';
import { CardHead } from '#web/ui/card-head.tsx';
import { Figure, FigureGrid } from '#web/ui/figure-grid.tsx';
import { FigureStrip, FigureStripSkeleton } from '#web/ui/figure-strip.tsx';
import { LabelText } from '#web/ui/label-text.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Missing, MoneyText } from '#web/ui/money-text.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import { NotKnown } from '#web/ui/not-known.tsx';
import { SignedMoney } from '#web/ui/signed-money.tsx';
import { TabCount } from '#web/ui/tab-count.tsx';
import { Sample, SampleGroup } from './sample.tsx';

const SHOWN = { link: { to: '/profit' }, note: 'With shipping' } as const;

/** Money, margins, times, and figures next to each other. */
export function FigureSamples(): React.JSX.Element {
  return (
    <SampleGroup name="Figures">
      <Sample name="FigureStrip in a Card with CardHead">
        <Card className="w-full p-0">
          <CardHead title="Profit is up 6.3% on the 7 days before" caption="7 days" />
          <FigureStrip
            since="in 7 days"
            figures={[
              { label: 'Revenue', figure: '$11,000.00', trend: '10.0', ...SHOWN },
              { label: 'Profit', figure: 'about $1,240.55', trend: '-2.5', ...SHOWN },
              { label: 'Margin', figure: '18.6%', trend: '-1.1', trendUnit: 'pts', ...SHOWN },
              { label: 'Units', figure: '1,500', note: '1,410 sales', trend: '0.0' },
            ]}
          />
        </Card>
        <Card className="w-full p-0">
          <FigureStripSkeleton count={4} />
        </Card>
      </Sample>
      <Sample name="FigureGrid">
        <FigureGrid>
          <Figure label="Units" note="in 30 days">
            148
          </Figure>
          <Figure label="Profit" note="of 146 sales">
            <SignedMoney amount="412.60" />
          </Figure>
        </FigureGrid>
      </Sample>
      <Sample name="TabCount">
        <TabCount of={1_234} isExact={false} asksForWork={false} />
        <TabCount of={7} asksForWork />
      </Sample>
      <Sample name="SignedMoney">
        <SignedMoney amount="1.25" />
        <SignedMoney amount="-6.20" />
        <SignedMoney amount={null} />
      </Sample>
      <Sample name="MoneyText">
        <MoneyText amount="1234.50" />
        <MoneyText amount="-5.05" />
        <Missing />
      </Sample>
      <Sample name="MarginText">
        {['-12.40', '4.96', '8.10', '12.40', '29.60', null].map((percent) => (
          <MarginText key={percent} percent={percent} />
        ))}
      </Sample>
      <Sample name="MarketplaceMark">
        {MARKETPLACES.map((marketplace) => (
          <MarketplaceMark key={marketplace} marketplace={marketplace} />
        ))}
      </Sample>
      <Sample name="MomentText">
        <MomentText iso="2026-11-21T14:05:00.000Z" />
      </Sample>
      <Sample name="LabelText">
        <LabelText text="Kitchen" />
        <LabelText text={null} />
      </Sample>
      <Sample name="NotAvailable">
        <NotAvailable />
      </Sample>
      <Sample name="NotKnown">
        <NotKnown />
      </Sample>
    </SampleGroup>
  );
}
