import { Tooltip } from 'radix-ui';
import { useState } from 'react';
import type { KeyDefinition } from '#web/lib/keys.ts';
import { useKeyText } from '#web/lib/shortcuts.ts';

/** Opens after 700 ms, or at once within 300 ms after another one has closed. */
export function TooltipProvider(props: { children: React.ReactNode }): React.JSX.Element {
  return (
    <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
      {props.children}
    </Tooltip.Provider>
  );
}

type TipProps = {
  text: string;
  /** The control's keyboard shortcut; shown after the text while it is active. */
  shortcut?: KeyDefinition | undefined;
  side?: 'top' | 'right' | 'bottom';
  /** False renders the child alone, as where its text is already visible. */
  enabled?: boolean;
  /** One element that takes a ref. */
  children: React.ReactNode;
};

/** A short text next to a control, on hover and on focus. */
export function Tip(props: TipProps): React.JSX.Element {
  const { text, shortcut, side = 'bottom', enabled = true, children } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Tooltip.Root open={enabled && isOpen} onOpenChange={setOpen}>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-64 animate-fade-in rounded-md bg-tooltip px-2 py-1 text-xs text-tooltip-fg shadow-floating"
        >
          {text}
          {shortcut !== undefined && <KeyHint shortcut={shortcut} />}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

function KeyHint({ shortcut }: { shortcut: KeyDefinition }): React.JSX.Element | null {
  const keyText = useKeyText(shortcut);
  return keyText === null ? null : <span> ({keyText})</span>;
}
