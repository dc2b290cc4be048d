import { type LucideIcon, ShieldCheck, SlidersHorizontal, Zap } from 'lucide-react';

const FEATURES: readonly { icon: LucideIcon; name: string; text: string }[] = [
  {
    icon: Zap,
    name: 'Real-time repricing',
    text: 'Prices follow competitor offers on six marketplaces, within the limits you set.',
  },
  {
    icon: ShieldCheck,
    name: 'Cost protection',
    text: 'Product, shipping, packaging and fees are counted first. No price goes below your minimum margin.',
  },
  {
    icon: SlidersHorizontal,
    name: 'Smart rules engine',
    text: 'Match, beat or hold a margin: one strategy per fulfillment type, and a reason for every change.',
  },
];

/** The product's three main features. */
export function FeatureList(): React.JSX.Element {
  return (
    <ul className="flex flex-col gap-6">
      {FEATURES.map(({ icon: Icon, name, text }) => (
        <li key={name} className="flex gap-4">
          <span className="grid size-10 shrink-0 place-items-center rounded-lg border bg-surface text-link">
            <Icon aria-hidden className="size-5" />
          </span>
          <div>
            <h2 className="text-lg font-semibold">{name}</h2>
            <p className="mt-1 max-w-[48ch] text-fg-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
