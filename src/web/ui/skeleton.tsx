import { classNames } from '#web/lib/class-names.ts';

/** A grey block in the place of a text that is on its way. It does not move: nothing here needs attention. */
export function Skeleton(props: { className?: string }): React.JSX.Element {
  return <div aria-hidden className={classNames('h-4 rounded-sm bg-border', props.className)} />;
}
