import { useLocation } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { Card } from '#web/ui/card.tsx';

type SettingsSectionProps = {
  /** The fragment of links to this section. */
  id: string;
  title: string;
  subtitle: string;
  children: React.ReactNode;
};

/** One section of the settings: heading, description, fields. */
export function SettingsSection({ id, title, subtitle, children }: SettingsSectionProps): React.JSX.Element {
  const headingId = useId();
  const section = useRef<HTMLElement>(null);
  const isAskedFor = useLocation({ select: ({ hash }) => hash === id });
  // The settings load after the page, too late for the browser's own scrolling to the fragment.
  useEffect(() => {
    if (isAskedFor) section.current?.scrollIntoView();
  }, [isAskedFor]);
  return (
    <section ref={section} id={id} aria-labelledby={headingId} className="scroll-mt-28">
      <Card className="flex flex-col gap-6 md:p-6">
        <div>
          <h2 id={headingId} className="text-lg font-semibold">
            {title}
          </h2>
          <p className="mt-1 max-w-[80ch] text-fg-muted">{subtitle}</p>
        </div>
        {children}
      </Card>
    </section>
  );
}
