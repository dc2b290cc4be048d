/** The states of one component under its name. */
export function Sample({ name, children }: { name: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-mono text-sm text-fg-muted">{name}</h3>
      <div className="flex flex-wrap items-start gap-3 *:min-w-0">{children}</div>
    </div>
  );
}

/** Components of one kind. */
export function SampleGroup({
  name,
  children,
}: {
  name: string;
  children: React.ReactNode;
}): React.JSX.Element {
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{name}</h2>
      {children}
    </div>
  );
}
