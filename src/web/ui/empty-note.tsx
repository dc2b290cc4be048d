/** Shown in place of data when there is none. */
export function EmptyNote(props: { children: React.ReactNode }): React.JSX.Element {
  return (
    <div className="rounded-lg border border-dashed border-border-strong px-4 py-8 text-center text-fg-muted">
      {props.children}
    </div>
  );
}
