type PageHeadingProps = {
  title: string;
  subtitle?: string;
  /** Buttons at the end of the line. */
  children?: React.ReactNode;
};

/** The screen's one `h1`, with its subtitle next to it if both fit on a line. Focusable, but not a tab stop. */
export function PageHeading({ title, subtitle, children }: PageHeadingProps): React.JSX.Element {
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-2.5 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-48 items-baseline gap-x-2.5 lg:basis-96">
        <h1 tabIndex={-1} className="text-2xl font-semibold wrap-anywhere">
          {title}
        </h1>
        {subtitle !== undefined && <p className="max-w-[100ch] text-sm text-fg-muted">{subtitle}</p>}
      </div>
      {children !== undefined && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </div>
  );
}
