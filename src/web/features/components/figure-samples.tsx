import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Card } from '#web/ui/card.tsx';
import { CardHead } from '#web/ui/card-head.tsx';
import { Figure, FigureSkeletons, Figures } from '#web/ui/figures.tsx';
import { LabelText } from '#web/ui/label-text.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Missing, MoneyText } from '#web/ui/money-text.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import { SignedMoney } from '#web/ui/signed-money.tsx';
import { Sparkline } from '#web/ui/sparkline.tsx';
import { TabCount } from '#web/ui/tab-count.tsx';
import { Sample, SampleGroup } from './sample.tsx';

const LABELS = ['Revenue', 'Profit', 'Money lost', 'Price changes'] as const;
const SINCE = 'in 7 days';

function SampleFigures(): React.JSX.Element {
  const [revenue, profit, lost, changes] = LABELS;
  return (
    <>
      <Figure
        label={revenue}
        note="With shipping"
        link={{ to: '/profit' }}
        trend={{ change: '10.0', since: SINCE }}
        aside={<Sparkline values={[3, 4, 2, null, 5, 4, 6]} />}
      >
        $11,000.00
      </Figure>
      <Figure label={profit} note="1,410 sales" trend={{ change: '0.0', since: SINCE }}>
        about $1,240.55
      </Figure>
      <Figure
        label={lost}
        note="9 sales"
        isLoss
        trend={{ change: '21.10', unit: '$', good: 'down', since: SINCE, isSinceSaid: true }}
      >
        {'\u2212$61.65'}
      </Figure>
      <Figure
        label={changes}
        note="162 up, 325 down"
        trend={{ change: '-2.5', good: 'neither', since: SINCE }}
      >
        487
      </Figure>
    </>
  );
}

/** Money, margins, times, and figures next to each other. */
export function FigureSamples(): React.JSX.Element {
  return (
    <SampleGroup name="Figures">
      <Sample name="Figures of a card of their own">
        <Figures>
          <Figure label="Units" note="in 30 days">
            148
          </Figure>
          <Figure label="Profit" note="of 146 sales">
            <SignedMoney amount="412.60" />
          </Figure>
        </Figures>
        <FigureSkeletons labels={['Units', 'Profit']} />
      </Sample>
      <Sample name="Figures in a Card with CardHead">
        <Card className="w-full p-0">
          <CardHead title="Profit is up 6.3% on the 7 days before" caption="7 days" />
          <Figures look="inCard" columns={4}>
            <SampleFigures />
          </Figures>
        </Card>
        <Card className="w-full p-0">
          <FigureSkeletons look="inCard" columns={4} labels={LABELS} />
        </Card>
      </Sample>
      <Sample name="Figures as cards, with Sparkline">
        <Figures look="cards" columns={4} className="w-full">
          <SampleFigures />
        </Figures>
        <div className="w-full">
          <FigureSkeletons look="cards" columns={4} labels={LABELS} />
        </div>
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
    </SampleGroup>
  );
}
