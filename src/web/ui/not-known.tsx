/** Shown in place of an unknown value, which is never the same as zero. */
export function NotKnown(): React.JSX.Element {
  return (
    <>
      <span aria-hidden className="text-fg-muted">
        {'\u2013'}
      </span>
      <span className="sr-only">not available</span>
    </>
  );
}
