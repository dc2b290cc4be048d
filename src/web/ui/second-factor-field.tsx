import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { TextField } from './text-field.tsx';

const APP = {
  label: '2FA code',
  hint: 'Enter 6-digit code',
  other: 'Use a recovery code instead',
  input: { inputMode: 'numeric', autoComplete: 'one-time-code', className: 'font-mono tracking-widest' },
} as const;

const RECOVERY = {
  label: 'Recovery code',
  hint: 'One of the 10 codes you saved. Each works once.',
  other: 'Use a code from the app instead',
  input: { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false, className: 'font-mono' },
} as const;

type SecondFactorFieldProps = {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  ref?: React.Ref<HTMLInputElement> | undefined;
};

/** The code of an authenticator app, or a recovery code for a user who has lost it. Switching clears the field. */
export function SecondFactorField({
  value,
  onChange,
  error,
  ref,
}: SecondFactorFieldProps): React.JSX.Element {
  const [kind, setKind] = useState<typeof APP | typeof RECOVERY>(APP);
  const group = useRef<HTMLDivElement>(null);
  const shown = useRef(kind);
  useEffect(() => {
    if (shown.current === kind) return;
    shown.current = kind;
    group.current?.querySelector('input')?.focus();
  }, [kind]);
  const change = (): void => {
    setKind(kind === APP ? RECOVERY : APP);
    onChange('');
  };
  return (
    <div ref={group} className="flex flex-col gap-1">
      <TextField
        ref={ref}
        label={kind.label}
        hint={kind.hint}
        error={error}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        {...kind.input}
      />
      <Button look="quiet" className="-ml-3 self-start" onClick={change}>
        {kind.other}
      </Button>
    </div>
  );
}

/** A typed or pasted code without its spaces. */
export function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/g, '');
}
