import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';

/** A bordered surface for a group of related content. */
export function Card({ className, ...rest }: ComponentProps<'div'>): React.JSX.Element {
  return (
    <div
      className={classNames('rounded-lg border border-border bg-surface p-4 shadow-card', className)}
      {...rest}
    />
  );
}
