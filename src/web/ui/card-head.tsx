type CardHeadProps = {
  /** For `aria-labelledby` of its section. */
  id?: string;
  /** The finding, not the name of the card. */
  title: string;
  /** The period, or what the finding is about. */
  caption?: React.ReactNode;
  /** Controls at the end of the line. */
  children?: React.ReactNode;
};

/** The head of a card without padding of its own: what was found, the period it is of, controls. */
export function CardHead({ id, title, caption, children }: CardHeadProps): React.JSX.Element {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-2 pb-1">
      <h2 id={id} className="text-md font-semibold text-balance">
        {title}
      </h2>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 md:ml-auto">
        {caption !== undefined && <p className="text-sm text-fg-muted">{caption}</p>}
        {children}
      </div>
    </div>
  );
}
