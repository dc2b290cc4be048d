import { Popover as RadixPopover } from 'radix-ui';
import { classNames } from '#web/lib/class-names.ts';

type PopoverProps = {
  /** Announced as the name of the panel. */
  label: string;
  /** One button that takes a ref. */
  trigger: React.ReactNode;
  align?: 'start' | 'center' | 'end';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: React.ReactNode;
};

/** A panel at its button. Escape and a press outside close it. */
export function Popover(props: PopoverProps): React.JSX.Element {
  const { label, trigger, align = 'end', open, onOpenChange, className, children } = props;
  return (
    <RadixPopover.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={classNames(
            'z-50 max-h-(--radix-popover-content-available-height) w-96 max-w-[calc(100vw-1rem)] animate-fade-in overflow-y-auto rounded-xl bg-raised text-fg shadow-floating outline-none',
            className,
          )}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
