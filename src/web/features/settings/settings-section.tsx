import { useLocation } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { Card } from '#web/ui/card.tsx';

type SettingsSectionProps = {
  /** What a link to this part has behind its "#". */
  id: string;
  title: string;
  subtitle: string;
  children: React.ReactNode;
};

/** One part of the settings: a heading, what it is about, and its fields. */
export function SettingsSection({ id, title, subtitle, children }: SettingsSectionProps): React.JSX.Element {
  const headingId = useId();
  const section = useRef<HTMLElement>(null);
  const isAskedFor = useLocation({ select: ({ hash }) => hash === id });
  // The settings arrive after the page, too late for the browser to find the part by itself.
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
