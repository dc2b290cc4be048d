import { Switch as RadixSwitch } from 'radix-ui';
import { useId } from 'react';
import { classNames } from '#web/lib/class-names.ts';

type SwitchProps = {
  label: string;
  hideLabel?: boolean;
  /** The element that describes it. */
  hintId?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  className?: string;
};

/** On or off. Takes effect at once, shows and hides a part of a form, or is a row of settings; else use a checkbox. */
export function Switch(props: SwitchProps): React.JSX.Element {
  const { label, hideLabel = false, hintId, checked, onChange, disabled, className } = props;
  const id = useId();
  return (
    <span className={classNames('inline-flex items-center gap-2', className)}>
      {/* The button is the 44 px target, the rail inside it is what is visible. */}
      <RadixSwitch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-label={hideLabel ? label : undefined}
        aria-describedby={hintId}
        className="group inline-flex h-11 w-11 print:hidden items-center justify-center rounded-md disabled:cursor-not-allowed disabled:opacity-50 dense:h-8"
      >
        <span className="flex h-5.5 w-9.5 items-center rounded-full bg-border-control p-0.5 group-data-[state=checked]:bg-primary md:h-4.5 md:w-7.5 md:in-data-density:h-4 md:in-data-density:w-6.5">
          <RadixSwitch.Thumb className="block size-4.5 rounded-full bg-primary-fg data-[state=checked]:translate-x-4 motion-safe:transition-transform motion-safe:duration-120 md:size-3.5 md:data-[state=checked]:translate-x-3 md:in-data-density:size-3 md:in-data-density:data-[state=checked]:translate-x-2.5" />
        </span>
      </RadixSwitch.Root>
      {/* On paper the color of the rail may be missing. */}
      <span
        aria-hidden
        data-text={checked ? 'On' : 'Off'}
        className="hidden before:content-[attr(data-text)] print:inline"
      />
      {!hideLabel && (
        <label htmlFor={id} className="cursor-pointer">
          {label}
        </label>
      )}
    </span>
  );
}
