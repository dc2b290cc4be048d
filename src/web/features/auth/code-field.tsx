import { type ComponentProps, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';

/** Said below the field, and aloud when it appears. */
export const CODE_HINT = 'Enter 6-digit code';

type CodeFieldProps = Omit<
  ComponentProps<typeof TextField>,
  'label' | 'hint' | 'inputMode' | 'autoComplete'
> & {
  /** Puts the focus back into the field. */
  onSwitch: () => void;
};

/** Asks for the second factor: six digits of the app, or one of the recovery codes, which have letters too. */
export function CodeField({ onSwitch, ...input }: CodeFieldProps): React.JSX.Element {
  const [isRecovery, setRecovery] = useState(false);
  const switchOver = (): void => {
    setRecovery(!isRecovery);
    onSwitch();
  };
  return (
    <div className="flex flex-col items-start gap-1">
      <TextField
        label={isRecovery ? 'Recovery code' : '2FA code'}
        hint={isRecovery ? 'Enter one you have not used yet. It works once.' : CODE_HINT}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize={isRecovery ? 'characters' : 'none'}
        spellCheck={false}
        fieldClassName="w-full"
        className={isRecovery ? 'font-mono' : 'font-mono tracking-widest'}
        {...input}
      />
      <Button look="quiet" className="-ml-3" onClick={switchOver}>
        {isRecovery ? 'Use the code of my app' : 'Use a recovery code'}
      </Button>
    </div>
  );
}
