type SparklineProps = {
  /** In order; null where it is not known, which leaves a gap. */
  values: readonly (number | null)[];
};

const WIDTH = 72;
const HEIGHT = 20;
/** Half of the line and of the last dot, so that neither is cut. */
const EDGE = 2.5;

/** How a figure went, without axes: the figure next to it says the rest. Nothing with less than two known values. */
export function Sparkline({ values }: SparklineProps): React.JSX.Element | null {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const low = Math.min(...known);
  const span = Math.max(...known) - low;
  const points = values.map((value, at) =>
    value === null
      ? null
      : {
          x: EDGE + (at * (WIDTH - 2 * EDGE)) / (values.length - 1),
          // A line that never moves is in the middle.
          y: span === 0 ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) * (HEIGHT - 2 * EDGE)) / span,
        },
  );
  const last = points.at(-1);
  return (
    <svg aria-hidden width={WIDTH} height={HEIGHT} className="block fill-none stroke-chart-own stroke-[1.5]">
      <path
        strokeLinejoin="round"
        d={points
          .map((point, at) => {
            if (point === null) return '';
            const isStart = at === 0 || points[at - 1] === null;
            return `${isStart ? 'M' : 'L'}${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
          })
          .join('')}
      />
      {last != null && <circle cx={last.x} cy={last.y} r={2} className="fill-chart-own stroke-none" />}
    </svg>
  );
}
