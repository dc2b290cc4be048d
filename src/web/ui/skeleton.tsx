import { classNames } from '#web/lib/class-names.ts';

/** A grey block in place of loading text. Not animated: it needs no attention. */
export function Skeleton(props: { className?: string }): React.JSX.Element {
  return <div aria-hidden className={classNames('h-4 rounded-sm bg-border', props.className)} />;
}
