import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useFocusReturn } from './use-focus-return.ts';

/** A line of the menu. */
export interface CommandItem {
  /** Unique in the menu. */
  readonly id: string;
  /** Announced before the text of the line. */
  readonly label: string;
  readonly content: React.ReactNode;
  readonly onChoose: () => void;
}

export interface CommandGroup {
  readonly heading: string;
  readonly items: readonly CommandItem[];
}

type CommandMenuProps = {
  onClose: () => void;
  /** Names the menu and its field. */
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  groups: readonly CommandGroup[];
  /** Shown when there are no lines. */
  empty: React.ReactNode;
  /** Under the list: an error, or the number of results. */
  foot?: React.ReactNode;
};

/** A field over a list that follows the typed text: arrows select, Enter runs, Escape closes. Does not filter. */
export function CommandMenu(props: CommandMenuProps): React.JSX.Element {
  const { onClose, label, placeholder, text, onText, groups, empty, foot } = props;
  const focusReturn = useFocusReturn();
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        {/* Our own backdrop: the library's adds a style element, which the content security policy blocks. */}
        <div data-scroll-lock aria-hidden className="fixed inset-0 z-40 animate-fade-in bg-backdrop" />
        <RadixDialog.Content
          aria-describedby={undefined}
          {...focusReturn}
          className="fixed inset-0 z-40 flex animate-fade-in flex-col bg-raised outline-none md:inset-x-4 md:top-[12dvh] md:bottom-auto md:mx-auto md:max-h-[70dvh] md:max-w-2xl md:rounded-xl md:shadow-floating"
        >
          <RadixDialog.Title className="sr-only">{label}</RadixDialog.Title>
          {/* The library's own keys for up and down would handle Ctrl+K, which closes the menu. */}
          <Command
            label={label}
            shouldFilter={false}
            loop
            vimBindings={false}
            className="flex min-h-0 flex-1 flex-col"
          >
            <div className="flex shrink-0 items-center gap-2 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-fg-muted" />
              <Command.Input
                value={text}
                onValueChange={onText}
                placeholder={placeholder}
                maxLength={200}
                spellCheck={false}
                className="h-12 min-w-0 flex-1 bg-transparent text-fg outline-none"
              />
              <RadixDialog.Close className="h-11 shrink-0 rounded-sm px-2 text-sm text-fg-muted hover:text-fg dense:h-8">
                Close
              </RadixDialog.Close>
            </div>
            <Command.List label="Results" className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2">
              {groups.map((group) => (
                <GroupOfItems key={group.heading} {...group} />
              ))}
              {groups.length === 0 && <div className="px-3 py-8 text-center text-fg-muted">{empty}</div>}
            </Command.List>
            {foot}
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function GroupOfItems({ heading, items }: CommandGroup): React.JSX.Element {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-fg-muted"
    >
      {items.map(({ id, label, content, onChoose }) => (
        <Command.Item
          key={id}
          value={id}
          aria-label={label}
          onSelect={onChoose}
          className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 select-none data-[selected=true]:bg-selected data-[selected=true]:outline-2 data-[selected=true]:-outline-offset-2 data-[selected=true]:outline-ring dense:min-h-9 [&_svg]:size-4 [&_svg]:shrink-0"
        >
          {content}
        </Command.Item>
      ))}
    </Command.Group>
  );
}
