type DialogBodyProps = {
  heading: React.ReactNode;
  footer?: React.ReactNode;
  alert?: React.ReactNode;
  onSubmit?: (() => void) | undefined;
  children: React.ReactNode;
};

/** Fixed heading and footer, scrolling content; a form if there is something to submit. */
export function DialogBody({
  heading,
  footer,
  alert,
  onSubmit,
  children,
}: DialogBodyProps): React.JSX.Element {
  const parts = (
    <>
      <div className="shrink-0 px-4 pt-4 pb-3 md:px-6 md:pt-5">{heading}</div>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4 md:px-6">{children}</div>
      {alert != null && alert !== false && (
        <div className="max-h-[45%] shrink-0 overflow-y-auto border-t px-4 py-3 md:px-6">{alert}</div>
      )}
      {footer !== undefined && (
        <div className="flex shrink-0 flex-wrap justify-end gap-2 border-t px-4 py-3 md:px-6">{footer}</div>
      )}
    </>
  );
  if (onSubmit === undefined) return parts;
  return (
    <form
      noValidate
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        // Prevents the browser's own submit, which Enter in a field would trigger.
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      {parts}
    </form>
  );
}
