import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { Tip } from './tooltip.tsx';

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'size' | 'aria-label' | 'children'> & {
  /** What it does; read out, and shown as a tooltip. */
  name: string;
  /** The shortcut, shown in the tooltip only. */
  keys?: string;
  children: React.ReactNode;
};

/** A button with an icon alone: it always has a name and a tooltip. */
export function IconButton({ name, keys, children, ...rest }: IconButtonProps): React.JSX.Element {
  return (
    <Tip text={keys === undefined ? name : `${name} (${keys})`}>
      <Button look="quiet" size="icon" aria-label={name} {...rest}>
        {children}
      </Button>
    </Tip>
  );
}
