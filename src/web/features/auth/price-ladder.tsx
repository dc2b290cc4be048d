/** Prices of the example, in dollars from the top. The floor is where the price stops, whatever the competitor does. */
const COMPETITOR = 'M0 34 H70 V62 H140 V96 H210 V150 H280 V118 H360';
const OURS = 'M0 26 H76 V54 H146 V88 H216 V122 H286 V110 H360';

/** An illustration: our price follows the competitor's down and stops at the minimum margin. */
export function PriceLadder(props: { className?: string }): React.JSX.Element {
  return (
    <figure className={props.className}>
      <svg viewBox="0 0 360 176" className="w-full" aria-hidden="true">
        <rect x="0" y="124" width="360" height="52" className="fill-badge-danger opacity-60" />
        <path d="M0 124 H360" className="stroke-danger-text" strokeWidth="1.5" strokeDasharray="2 4" />
        <path
          d={COMPETITOR}
          fill="none"
          className="stroke-border-control"
          strokeWidth="2"
          strokeDasharray="6 4"
        />
        <path d={OURS} fill="none" className="stroke-link" strokeWidth="3" strokeLinejoin="round" />
        <circle cx="251" cy="122" r="5" className="fill-link stroke-surface" strokeWidth="2" />
      </svg>
      <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-xs text-fg-muted">
        <Key line="border-t-[3px] border-link" text="Your price" />
        <Key line="border-t-2 border-dashed border-border-control" text="Competitor" />
        <Key line="border-t-2 border-dotted border-danger-text" text="Minimum margin" />
      </figcaption>
    </figure>
  );
}

function Key(props: { line: string; text: string }): React.JSX.Element {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className={`w-5 ${props.line}`} />
      {props.text}
    </span>
  );
}
