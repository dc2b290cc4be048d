import { Link, type LinkProps } from '@tanstack/react-router';
import { Callout } from '#web/ui/callout.tsx';

/** Screens of the sample data worth visiting, in a useful order. */
const STOPS: readonly { readonly text: string; readonly link: LinkProps }[] = [
  { text: 'A candle that loses money on every sale', link: { to: '/listings', search: { q: 'LOSS-1' } } },
  {
    text: 'A kettle with repricing paused by a price war',
    link: { to: '/listings', search: { q: 'WAR-1' } },
  },
  {
    text: 'Listings that cannot be repriced, and why',
    link: { to: '/listings', search: { state: 'blocked' } },
  },
  {
    text: 'Recommended prices with their reasons',
    link: { to: '/listings', search: { state: 'recommended' } },
  },
  { text: 'Ninety days of price history', link: { to: '/history' } },
  { text: 'The rules, with a preview of each', link: { to: '/rules' } },
];

/** Says that this is sample data, and links to screens to try. */
export function DemoCallout(): React.JSX.Element {
  return (
    <Callout
      tone="info"
      title="This is a demo store on simulated marketplaces. Change anything you like; nothing reaches a real marketplace."
    >
      <details>
        <summary className="min-h-11 w-fit cursor-pointer rounded-sm py-3 font-medium text-link dense:min-h-6 dense:py-0.5">
          What to look at
        </summary>
        <ol className="mt-2 grid list-inside list-decimal gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
          {STOPS.map(({ text, link }) => (
            <li key={text}>
              <Link {...link} className="inline-block text-link underline underline-offset-2 max-md:py-2.5">
                {text}
              </Link>
            </li>
          ))}
        </ol>
        <p className="mt-2 text-fg-muted">
          Then go live on a marketplace in the header: competitors change prices, yours follow within minutes,
          and sales come in.
        </p>
      </details>
    </Callout>
  );
}
