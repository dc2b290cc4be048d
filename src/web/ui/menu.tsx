import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { useMenuFocus } from './use-focus-return.ts';

const ITEM =
  'flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md px-2 select-none outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-hover dense:min-h-7.5 [&_svg]:size-4 [&_svg]:shrink-0';

type MenuProps = {
  /** One button that takes a ref. */
  trigger: React.ReactNode;
  align?: 'start' | 'center' | 'end';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  /**
   * Runs once the menu has closed. True: the focus moved elsewhere, and does not return to the button.
   */
  onClosed?: () => boolean;
  children: React.ReactNode;
};

/** A button's menu. Not modal: the library's scroll lock would set inline styles. */
export function Menu(props: MenuProps): React.JSX.Element {
  const { trigger, align = 'end', open, onOpenChange, className, onClosed, children } = props;
  const { button, noteOpen, noteClosed } = useMenuFocus();
  return (
    <DropdownMenu.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      onOpenChange={(isOpen) => {
        noteOpen(isOpen);
        onOpenChange?.(isOpen);
      }}
    >
      <DropdownMenu.Trigger asChild ref={button}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            noteClosed();
            if (onClosed?.() === true) event.preventDefault();
          }}
          className={classNames(
            'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-fade-in overflow-y-auto rounded-xl bg-raised p-1 text-fg shadow-floating',
            className,
          )}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

type MenuItemProps = ComponentProps<typeof DropdownMenu.Item> & {
  icon?: LucideIcon;
  isDanger?: boolean;
  /** The key that does the same on the row: "E". */
  shortcut?: string;
};

/** An action. With `asChild` a link: `<MenuItem asChild><Link ...>Price history</Link></MenuItem>`. */
export function MenuItem(props: MenuItemProps): React.JSX.Element {
  const { icon: Icon, isDanger = false, shortcut, asChild = false, className, children, ...rest } = props;
  const classes = classNames(ITEM, isDanger && 'text-danger-text', className);
  if (asChild) {
    return (
      <DropdownMenu.Item asChild className={classes} {...rest}>
        {children}
      </DropdownMenu.Item>
    );
  }
  return (
    <DropdownMenu.Item className={classes} {...rest}>
      {Icon !== undefined && <Icon aria-hidden />}
      {children}
      {shortcut !== undefined && <MenuKey>{shortcut}</MenuKey>}
    </DropdownMenu.Item>
  );
}

/** A key at the end of an entry. The help names all keys, so it is no part of the entry's name. */
export function MenuKey({ children }: { children: string }): React.JSX.Element {
  return (
    <kbd aria-hidden className="ml-auto pl-4 font-sans text-xs text-fg-muted max-md:hidden">
      {children}
    </kbd>
  );
}

/** Heading of the entries below it. */
export function MenuLabel({ children }: { children: React.ReactNode }): React.JSX.Element {
  return (
    <DropdownMenu.Label className="px-2.5 py-1.5 text-sm font-medium text-fg-muted">
      {children}
    </DropdownMenu.Label>
  );
}

/** A line between groups of entries. */
export function MenuSeparator(): React.JSX.Element {
  return <DropdownMenu.Separator className="my-1 h-px bg-border" />;
}
