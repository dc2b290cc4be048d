/** Shown in place of a value: an en dash, and words for screen readers. */
export function NotAvailable(): React.JSX.Element {
  return (
    <span className="text-fg-muted">
      <span aria-hidden>–</span>
      <span className="sr-only">not available</span>
    </span>
  );
}
