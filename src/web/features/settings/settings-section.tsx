import { useLocation } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { Card } from '#web/ui/card.tsx';
import { SECTION_TITLES, type SectionId } from './sections.ts';

type SettingsSectionProps = {
  id: SectionId;
  subtitle: string;
  /** At the end of the head: a badge, or a switch. */
  aside?: React.ReactNode;
  /** Rows and blocks, divided by hairlines. */
  children: React.ReactNode;
};

/** One section of the settings: heading, description, rows. Its id is the fragment of links to it. */
export function SettingsSection({ id, subtitle, aside, children }: SettingsSectionProps): React.JSX.Element {
  const headingId = useId();
  const section = useRef<HTMLElement>(null);
  const isTarget = useLocation({ select: ({ hash }) => hash === id });
  useEffect(() => (isTarget ? keepInView(section.current) : undefined), [isTarget]);
  return (
    <section ref={section} id={id} aria-labelledby={headingId} className="scroll-mt-28 lg:scroll-mt-16">
      <Card className="divide-y divide-border p-0">
        <div className="flex items-start justify-between gap-4 px-4 py-3.5">
          <div>
            <h2 id={headingId} className="text-md font-semibold">
              {SECTION_TITLES[id]}
            </h2>
            <p className="max-w-[66ch] text-fg-muted">{subtitle}</p>
          </div>
          {aside !== undefined && <div className="flex shrink-0 items-center gap-2">{aside}</div>}
        </div>
        {children}
      </Card>
    </section>
  );
}

/** What a user does to look elsewhere. */
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to a section, and again whenever those above it grow: they load after the page, too late for the browser's own
 * scrolling to the fragment. Ends with the first act of the user.
 * @returns how to end it before
 */
function keepInView(section: HTMLElement | null): (() => void) | undefined {
  if (section === null) return undefined;
  section.scrollIntoView();
  const observer = new ResizeObserver(() => section.scrollIntoView());
  if (section.parentElement !== null) observer.observe(section.parentElement);
  const end = (): void => {
    observer.disconnect();
    for (const action of ACTS) window.removeEventListener(action, end);
  };
  for (const action of ACTS) window.addEventListener(action, end, { passive: true });
  return end;
}

/** Padding of a row of a section, for fields. */
export const SETTING_ROW = 'min-h-15 px-4 py-3';

/** Any other content of a section. */
export function SettingBlock({ children }: { children: React.ReactNode }): React.JSX.Element {
  return <div className="flex flex-col gap-5 p-4">{children}</div>;
}
