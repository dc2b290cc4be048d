import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useId } from 'react';
import { useParentScreen } from '#web/lib/parent-screen.ts';

type PageHeadingProps = {
  title: string;
  subtitle?: string;
  /** After the title: the state of what the page shows. */
  badge?: React.ReactNode;
  /** Buttons at the end of the line. */
  children?: React.ReactNode;
};

/**
 * The screen's one `h1`, after the link to its parent screen, with as much of its subtitle on the same line as the buttons
 * leave; on narrow screens it is announced with the title. Focusable, but not a tab stop.
 */
export function PageHeading({ title, subtitle, badge, children }: PageHeadingProps): React.JSX.Element {
  const subtitleId = useId();
  return (
    // Next to a link to its parent a name that arrives later often takes two lines of a phone: they are kept free.
    <div className="flex min-h-8 items-center gap-x-2.5 gap-y-2 max-[360px]:flex-wrap max-md:has-[nav]:min-h-14 md:flex-wrap">
      <ParentLink />
      <div className="flex min-w-0 flex-1 basis-auto items-baseline gap-x-2.5">
        <h1
          tabIndex={-1}
          aria-describedby={subtitle === undefined ? undefined : subtitleId}
          className="text-2xl font-semibold wrap-anywhere xl:shrink-0"
        >
          {title}
        </h1>
        {badge !== undefined && <span className="shrink-0 self-center">{badge}</span>}
        {subtitle !== undefined && (
          <p
            id={subtitleId}
            title={subtitle}
            className="min-w-0 truncate text-fg-muted max-xl:sr-only xl:w-0 xl:grow"
          >
            {subtitle}
          </p>
        )}
      </div>
      {children !== undefined && (
        <div className="flex shrink-0 flex-wrap items-center gap-1 max-[360px]:shrink md:gap-2">
          {children}
        </div>
      )}
    </div>
  );
}

function ParentLink(): React.JSX.Element | null {
  const parent = useParentScreen();
  if (parent === null) return null;
  return (
    <nav aria-label="Breadcrumb">
      <Link
        to={parent.path}
        className="inline-flex min-h-11 items-center gap-1 rounded-sm font-medium text-fg-muted hover:text-fg dense:min-h-8"
      >
        <ChevronLeft aria-hidden className="size-4" />
        {parent.label}
      </Link>
    </nav>
  );
}
