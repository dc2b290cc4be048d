/** Stands where a value would: an en dash, and words for whoever does not see it. */
export function NotAvailable(): React.JSX.Element {
  return (
    <span className="text-fg-muted">
      <span aria-hidden>–</span>
      <span className="sr-only">not available</span>
    </span>
  );
}
