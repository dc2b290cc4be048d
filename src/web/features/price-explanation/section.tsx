import { useId } from 'react';
import { Card } from '#web/ui/card.tsx';

type SectionProps = { title: string; children: React.ReactNode };

/** A section of the explanation with its heading. */
export function Section({ title, children }: SectionProps): React.JSX.Element {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card className="h-full p-4">
        <h2 id={id} className="mb-2 text-lg font-semibold">
          {title}
        </h2>
        {children}
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

/** Names and values, one per line. */
export function Facts({ facts }: FactsProps): React.JSX.Element {
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
      {facts.map(({ name, value, hint }) => (
        <div key={name} className="contents">
          <dt className="text-fg-muted">
            {name}
            {hint !== undefined && <span className="block text-sm">{hint}</span>}
          </dt>
          <dd className="text-right tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
