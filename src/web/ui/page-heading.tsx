type PageHeadingProps = {
  title: string;
  subtitle?: string;
  /** Buttons at the end of the line. */
  children?: React.ReactNode;
};

/** The screen's one `h1`, with its subtitle next to it if both fit on a line. Focusable, but not a tab stop. */
export function PageHeading({ title, subtitle, children }: PageHeadingProps): React.JSX.Element {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-96 flex-wrap items-baseline gap-x-3">
        <h1 tabIndex={-1} className="text-2xl font-semibold text-balance wrap-anywhere">
          {title}
        </h1>
        {subtitle !== undefined && <p className="max-w-[100ch] text-sm text-fg-muted">{subtitle}</p>}
      </div>
      {children !== undefined && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </div>
  );
}
