import { Inbox } from 'lucide-react';

/** Shown in place of data when there is none: a card of its own, or without edges where it is in one. */
export function EmptyNote(props: { children: React.ReactNode }): React.JSX.Element {
  return (
    <div className="rounded-lg border bg-surface px-4 py-8 text-center text-fg-muted in-[.bg-raised]:border-0 in-[.bg-raised]:bg-transparent in-[.bg-surface]:border-0">
      <Inbox aria-hidden className="mx-auto mb-2 size-6 text-placeholder" />
      {props.children}
    </div>
  );
}
