import { type LucideIcon, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { KEYS, type KeyDefinition } from '#web/lib/keys.ts';
import { useMediaQuery } from '#web/lib/use-media-query.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { IconButton } from './icon-button.tsx';

/** Below this width the page has no room for a sheet. On paper it follows the page, however narrow the paper is. */
const WIDE_LAYOUT = '(min-width: 1280px), print';

interface SheetAction {
  readonly name: string;
  /** The shortcut, only for the tooltip. */
  readonly shortcut?: KeyDefinition;
  readonly icon: LucideIcon;
  readonly onPress: () => void;
}

type SideSheetProps = {
  title: string;
  /** Shown under the title. */
  subtitle?: React.ReactNode;
  /** Buttons in its header; in its footer if it is a dialog. */
  actions: readonly SheetAction[];
  /** Acts on what it shows, at its bottom. */
  footer?: React.ReactNode;
  onClose: () => void;
  /** A number above 0 focuses the sheet when it appears, and again with each new number. 0 leaves the focus. */
  focusRequest: number;
  children: React.ReactNode;
};

/**
 * A panel next to the page, which stays usable: nothing is covered. It is the last item of a flex row. On a narrow
 * screen it is a dialog. Next to the page, the page handles Escape: it knows where the focus belongs.
 */
export function SideSheet(props: SideSheetProps): React.JSX.Element {
  const { title, subtitle, actions, onClose, children } = props;
  const isWide = useMediaQuery(WIDE_LAYOUT);
  if (isWide) return <InlineSheet {...props} />;
  // No tooltips there: one at the first focused button would consume the first Escape.
  const footer = actions.map(({ name, icon: Icon, onPress }) => (
    <Button key={name} look="quiet" size="icon" aria-label={name} onClick={onPress}>
      <Icon aria-hidden />
    </Button>
  ));
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          {footer}
          {props.footer}
        </>
      }
    >
      <div className="mb-4">{subtitle}</div>
      {children}
    </Dialog>
  );
}

function InlineSheet(props: SideSheetProps): React.JSX.Element {
  const { title, subtitle, actions, footer, onClose, focusRequest, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  useEffect(() => {
    if (focusRequest > 0) heading.current?.focus();
  }, [focusRequest]);
  return (
    // Up to the edges of the page, whose padding it takes back; below the header row.
    <aside
      aria-labelledby={headingId}
      className="sticky top-12 -mt-1 -mr-6 -mb-6 flex h-[calc(100dvh-3rem)] w-[27rem] shrink-0 animate-sheet-in flex-col self-start border-l bg-surface print:static print:mt-6 print:h-auto print:w-full print:break-before-page print:border-0"
    >
      <div className="flex items-start gap-2 px-5 pt-3 pb-2">
        <div className="min-w-0 flex-1">
          <h2
            id={headingId}
            ref={heading}
            tabIndex={-1}
            className="text-lg/6 font-semibold wrap-anywhere outline-none"
          >
            {title}
          </h2>
          {subtitle}
        </div>
        <div className="-mr-2 flex shrink-0 print:hidden">
          {actions.map(({ name, shortcut, icon: Icon, onPress }) => (
            <IconButton
              key={name}
              isSmall
              name={name}
              {...(shortcut === undefined ? {} : { shortcut })}
              onClick={onPress}
            >
              <Icon aria-hidden />
            </IconButton>
          ))}
          <IconButton isSmall name="Close" shortcut={KEYS.close} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5 print:overflow-visible">{children}</div>
      {footer !== undefined && (
        <div className="flex flex-wrap gap-2 border-t px-5 py-3 print:hidden">{footer}</div>
      )}
    </aside>
  );
}
