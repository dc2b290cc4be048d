import type { ComponentProps } from 'react';
import { ariaKeys, type KeyDefinition } from '#web/lib/keys.ts';
import { Button } from './button.tsx';
import { Tip } from './tooltip.tsx';

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'size' | 'aria-label' | 'children'> & {
  /** Its action; announced, and shown as a tooltip. */
  name: string;
  /** The keyboard shortcut, shown in the tooltip. */
  shortcut?: KeyDefinition;
  /** Lower, for toolbars and rows. */
  isSmall?: boolean;
  children: React.ReactNode;
};

/** A button with an icon alone: it always has a name and a tooltip. */
export function IconButton({
  name,
  shortcut,
  isSmall = false,
  children,
  ...rest
}: IconButtonProps): React.JSX.Element {
  return (
    <Tip text={name} shortcut={shortcut}>
      <Button
        look="quiet"
        size={isSmall ? 'smallIcon' : 'icon'}
        aria-label={name}
        aria-keyshortcuts={shortcut && ariaKeys(shortcut)}
        {...rest}
      >
        {children}
      </Button>
    </Tip>
  );
}
