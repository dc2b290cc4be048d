import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { useIsHalted } from '#web/lib/engine.ts';
import { Button } from '#web/ui/button.tsx';
import { Tip } from '#web/ui/tooltip.tsx';

/**
 * A button that applies a recommended price. The server rejects that while repricing is halted: then the button is
 * disabled and says why, but stays focusable.
 */
export function ApplyPriceButton({ onClick, ...props }: ComponentProps<typeof Button>): React.JSX.Element {
  const isHalted = useIsHalted();
  if (!isHalted) return <Button {...props} onClick={onClick} />;
  return (
    <Tip text="Repricing is halted. Apply recommended prices after it is resumed. You can still set a price by hand.">
      <Button
        {...props}
        aria-disabled
        className={classNames(props.className, 'cursor-not-allowed opacity-50')}
      />
    </Tip>
  );
}
