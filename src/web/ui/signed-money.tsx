import { classNames } from '#web/lib/class-names.ts';
import { signedMoney } from '#web/lib/signed-money.ts';
import { Missing } from './money-text.tsx';

/** A gain or a loss: "+$1.25", "−$6.20", with its color. Null is unknown. */
export function SignedMoney({ amount }: { amount: string | null }): React.JSX.Element {
  if (amount === null) return <Missing />;
  const value = Number(amount);
  return (
    <span
      className={classNames(
        'whitespace-nowrap tabular-nums',
        value < 0 && 'text-danger-text',
        value > 0 && 'text-success-text',
      )}
    >
      {signedMoney(amount)}
    </span>
  );
}
