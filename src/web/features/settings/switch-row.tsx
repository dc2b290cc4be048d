import { useId } from 'react';
import { Switch } from '#web/ui/switch.tsx';
import { SETTING_ROW } from './settings-section.tsx';

type SwitchRowProps = {
  label: string;
  hint: React.ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Next to the switch. */
  badge?: React.ReactNode;
};

/** A setting that is on or off: its name and effect at the left, the switch at the right. */
export function SwitchRow({ label, hint, checked, onChange, badge }: SwitchRowProps): React.JSX.Element {
  const hintId = useId();
  return (
    <div className={`flex items-center gap-x-6 ${SETTING_ROW}`}>
      <div className="min-w-0 flex-1">
        <p aria-hidden className="font-medium">
          {label}
        </p>
        <div id={hintId} className="text-sm text-fg-muted">
          {hint}
        </div>
      </div>
      <span className="flex shrink-0 items-center gap-2">
        {badge}
        <Switch label={label} hideLabel hintId={hintId} checked={checked} onChange={onChange} />
      </span>
    </div>
  );
}
