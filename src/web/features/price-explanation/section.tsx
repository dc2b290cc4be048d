import { useId } from 'react';
import { Card } from '#web/ui/card.tsx';
import { CardHead } from '#web/ui/card-head.tsx';

type SectionProps = {
  title: string;
  caption?: React.ReactNode;
  children: React.ReactNode;
};

/** A section of the explanation with its heading. */
export function Section({ title, caption, children }: SectionProps): React.JSX.Element {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <Card className="h-full p-0">
        <CardHead id={id} title={title} caption={caption} />
        <div className="px-4 pt-1 pb-4">{children}</div>
      </Card>
    </section>
  );
}

interface Fact {
  readonly name: string;
  readonly value: React.ReactNode;
  /** An explanation of the name, below it. */
  readonly hint?: string;
}

type FactsProps = { facts: readonly Fact[] };

/** Names and values, one per line, divided by hairlines. */
export function Facts({ facts }: FactsProps): React.JSX.Element {
  return (
    <dl className="divide-y divide-border">
      {facts.map(({ name, value, hint }) => (
        <div key={name} className="flex justify-between gap-x-4 py-2 first:pt-0 last:pb-0">
          <dt className="text-fg-muted">
            {name}
            {hint !== undefined && <span className="block text-sm">{hint}</span>}
          </dt>
          <dd className="text-right font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
