/** The logo: a price that steps down and stops at its floor. */
export function BrandMark(props: { className?: string }): React.JSX.Element {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={props.className}>
      <rect width="32" height="32" rx="7" className="fill-primary" />
      <path d="M7 24h18" className="stroke-primary-fg opacity-60" strokeWidth="2.5" strokeLinecap="round" />
      <path
        d="M7 9h6v5h6v5h6"
        fill="none"
        className="stroke-primary-fg"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
