import { useId } from 'react';
import { Card } from '#web/ui/card.tsx';

type AccountSectionProps = {
  title: string;
  subtitle: string;
  /** Buttons at the end of the heading's line. */
  actions?: React.ReactNode;
  /** Takes the focus when the row of the focused button is removed. */
  headingRef?: React.Ref<HTMLHeadingElement>;
  children: React.ReactNode;
};

/** One section of the account: heading, description, content. */
export function AccountSection(props: AccountSectionProps): React.JSX.Element {
  const { title, subtitle, actions, headingRef, children } = props;
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <Card className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-80">
            <h2 id={headingId} ref={headingRef} tabIndex={-1} className="text-md font-semibold outline-none">
              {title}
            </h2>
            <p className="mt-0.5 max-w-[80ch] text-pretty text-fg-muted">{subtitle}</p>
          </div>
          {actions}
        </div>
        {children}
      </Card>
    </section>
  );
}
