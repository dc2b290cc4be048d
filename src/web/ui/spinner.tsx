import { LoaderCircle } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';

/** Turns while work is in progress; the text next to it names the work. */
export function Spinner(props: { className?: string }): React.JSX.Element {
  return (
    <LoaderCircle
      aria-hidden
      className={classNames('size-4 animate-spin motion-reduce:animate-pulse', props.className)}
    />
  );
}

/** Shown alone on the page while the session or a screen loads. */
export function PageSpinner(props: { label: string }): React.JSX.Element {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-fg-muted">
      <Spinner className="size-6" />
      <span className="sr-only">{props.label}</span>
    </div>
  );
}
