import type { LucideIcon } from 'lucide-react';
import { PageHeading } from './page-heading.tsx';

/** A page with a single message and a link. Not centered: content added below must not move the rest. */
export function StatusPage(props: { icon: LucideIcon; children: React.ReactNode }): React.JSX.Element {
  const Icon = props.icon;
  return (
    <div className="mx-auto flex w-full max-w-md flex-1 flex-col items-center gap-6 pt-[18vh] pb-12 text-center [&>div]:justify-center">
      <span className="grid size-14 place-items-center rounded-xl border border-border bg-surface text-fg-muted">
        <Icon aria-hidden className="size-6" />
      </span>
      {props.children}
    </div>
  );
}

/** The title of such a page and its message, whole on every screen: the message is what the page is for. */
export function StatusHeading({ title, text }: { title: string; text: string }): React.JSX.Element {
  return (
    <>
      <PageHeading title={title} />
      <p className="-mt-4 text-balance text-fg-muted">{text}</p>
    </>
  );
}
