import { classNames } from '#web/lib/class-names.ts';
import { useElementWidth } from './use-element-width.ts';

/** One bar, from one amount to the next; both in the same unit. */
export interface WaterfallBar {
  readonly key: string;
  readonly label: string;
  /** Below the label, such as a share. */
  readonly note?: string;
  readonly from: number;
  readonly to: number;
  /** What the bar adds or takes, formatted. */
  readonly text: string;
  readonly tone: keyof typeof FILLS;
}

const FILLS = {
  own: 'fill-chart-own',
  neutral: 'fill-chart-before',
  success: 'fill-success-text',
  danger: 'fill-danger-text',
} as const;

type WaterfallProps = {
  /** What it says; announced with every bar as its description. */
  name: string;
  bars: readonly WaterfallBar[];
};

const HEIGHT = 216;
const TOP = 22;
const BOTTOM = 38;
/** Narrower columns have smaller amounts, in pixels. */
const SMALL_BELOW = 62;
/** Pixels of a character of a label, rather more. */
const CHARACTER = 6;

/** From one amount down to what is left of it: each bar begins where the one before it ends. Drawn for the width there is. */
export function Waterfall({ name, bars }: WaterfallProps): React.JSX.Element {
  const [box, width] = useElementWidth<HTMLDivElement>();
  const values = bars.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const y = (value: number): number => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const step = width / bars.length;
  const column = Math.max(2, Math.min(64, step * 0.8));
  return (
    <div ref={box} style={{ height: HEIGHT }} className="min-w-0">
      <svg
        role="img"
        aria-label={`${name}: ${readout(bars)}`}
        width={width}
        height={HEIGHT}
        className="block"
      >
        {bars.map((bar, at) => {
          const x = step * at + (step - column) / 2;
          const [top, end] = [Math.min(y(bar.from), y(bar.to)), Math.max(y(bar.from), y(bar.to))];
          const middle = x + column / 2;
          return (
            <g key={bar.key}>
              <rect
                x={x}
                y={top}
                width={column}
                height={Math.max(end - top, 2)}
                rx={3}
                className={FILLS[bar.tone]}
              />
              {at < bars.length - 1 && (
                <line
                  x1={x + column}
                  x2={x + step}
                  y1={y(bar.to)}
                  y2={y(bar.to)}
                  strokeDasharray="2 2"
                  className="stroke-border-control"
                />
              )}
              <text
                x={middle}
                y={top - 6}
                textAnchor="middle"
                className={classNames(
                  'fill-fg font-semibold tabular-nums',
                  step < SMALL_BELOW ? 'text-2xs' : 'text-xs',
                )}
              >
                {bar.text}
              </text>
              <text x={middle} y={HEIGHT - 20} textAnchor="middle" className="fill-fg-muted text-2xs">
                {bar.label.length * CHARACTER > step ? shortLabel(bar.label) : bar.label}
              </text>
              {bar.note !== undefined && (
                <text x={middle} y={HEIGHT - 5} textAnchor="middle" className="fill-fg-muted text-2xs">
                  {bar.note}
                </text>
              )}
            </g>
          );
        })}
        <line x1={0} x2={width} y1={y(0)} y2={y(0)} className="stroke-border-strong" />
      </svg>
    </div>
  );
}

function readout(bars: readonly WaterfallBar[]): string {
  return bars
    .map(({ label, text, note }) => `${label} ${text}${note === undefined ? '' : ` (${note})`}`)
    .join(', ');
}

/** "Packaging" as "Pack.", where a column has no room for it. */
function shortLabel(label: string): string {
  const [word = label] = label.split(' ');
  return word.length <= 7 ? word : `${word.slice(0, 4)}.`;
}
