import { classNames } from '#web/lib/class-names.ts';

/** A bar in place of a line of loading text. Not animated: it needs no attention. */
export function Skeleton(props: { className?: string }): React.JSX.Element {
  return <div aria-hidden className={classNames('h-3 rounded-sm bg-fill', props.className)} />;
}
