import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { Spinner } from './spinner.tsx';

/** The button style, also for links that look like one. 44 px high for touch, 32 px otherwise, 28 in a toolbar, 36 next to a field; not printed. */
export const buttonClasses = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none print:hidden disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      look: {
        primary: 'bg-primary font-[550] text-primary-fg hover:bg-primary-hover',
        outline: 'border border-border-strong bg-surface text-fg hover:bg-hover',
        danger: 'bg-danger text-danger-fg hover:opacity-90',
        quiet: 'text-fg-muted hover:bg-fill hover:text-fg',
      },
      size: {
        default: 'h-11 px-3 dense:h-8',
        /** In a toolbar. */
        small: 'h-11 px-2.5 dense:h-7',
        /** Next to a field: as high as it. */
        field: 'h-11 px-3 dense:h-9',
        icon: 'size-11 dense:size-8',
        /** In a toolbar or a row. */
        smallIcon: 'size-11 dense:size-7',
      },
      /** On a phone the icon alone, where the label is in a `span`: an action next to a page's title. */
      phone: { icon: 'max-md:w-10 max-md:px-0 max-md:[&>span]:sr-only' },
    },
    defaultVariants: { look: 'primary', size: 'default' },
  },
);

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonClasses> & {
    /** Shown with a spinner while the action runs; further presses do nothing. */
    pendingText?: React.ReactNode;
    pending?: boolean | undefined;
  };

/** A button with a text of its own while its action runs. It keeps the focus while pending. */
export function Button(props: ButtonProps): React.JSX.Element {
  const {
    look,
    size,
    phone,
    pending = false,
    pendingText,
    className,
    children,
    onClick,
    type,
    ...rest
  } = props;
  return (
    <button
      type={type ?? 'button'}
      className={classNames(buttonClasses({ look, size, phone }), pending && 'cursor-progress', className)}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {pending ? (
        <>
          <Spinner />
          {pendingText}
        </>
      ) : (
        children
      )}
    </button>
  );
}
