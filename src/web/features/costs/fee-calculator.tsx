import { useState } from 'react';
import { parseCents } from '#domain/decimal.ts';
import { ASSUMED_SALES_TAX } from '#domain/fees/compose-fees.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { type Bps, type Cents, MAX_CENTS } from '#domain/units.ts';
import { typedMoney } from '#web/lib/typed-numbers.ts';
import { Card } from '#web/ui/card.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { calculateFee } from './fee-text.ts';

type FeeCalculatorProps = { schedule: FeeSchedule | null; salesTax: Bps | null };

/** Calculates the fee on a price while a schedule is edited, and names its band. */
export function FeeCalculator({ schedule, salesTax }: FeeCalculatorProps): React.JSX.Element {
  const [price, setPrice] = useState('20.00');
  const [shipping, setShipping] = useState('0.00');
  const revenue = sumOf(price, shipping);
  return (
    <Card className="bg-canvas">
      <h3 className="font-semibold">Try it on a price</h3>
      <div className="mt-3 grid grid-cols-2 gap-3">
        <NumberField
          label="Price"
          unit="$"
          value={price}
          onChange={(event) => setPrice(event.target.value)}
        />
        <NumberField
          label="Shipping charge"
          unit="$"
          value={shipping}
          onChange={(event) => setShipping(event.target.value)}
        />
      </div>
      <output className="mt-4 block" aria-live="polite">
        <Answer schedule={schedule} revenue={revenue} salesTax={salesTax ?? ASSUMED_SALES_TAX} />
      </output>
    </Card>
  );
}

type AnswerProps = { schedule: FeeSchedule | null; revenue: Cents | null; salesTax: Bps };

function Answer({ schedule, revenue, salesTax }: AnswerProps): React.JSX.Element {
  if (revenue === null) return <p className="text-fg-muted">Enter a price above zero, such as 19.99.</p>;
  if (schedule === null) return <p className="text-fg-muted">Complete the bands to see the fee.</p>;
  const { fee, left, steps } = calculateFee(schedule, revenue, salesTax);
  return (
    <>
      <p className="text-xl font-semibold tabular-nums">Fee {fee}</p>
      <ul className="mt-1 text-fg-muted tabular-nums">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      <p className="mt-2 tabular-nums">Leaves {left} for your cost and margin.</p>
    </>
  );
}

function sumOf(price: string, shipping: string): Cents | null {
  const parts = [price, shipping].map((text) => parseCents(typedMoney(text) ?? ''));
  const [item, charge] = parts;
  if (item === null || item === undefined || charge === null || charge === undefined) return null;
  const isRevenue = item > 0 && charge >= 0 && item + charge <= MAX_CENTS;
  return isRevenue ? ((item + charge) as Cents) : null;
}
