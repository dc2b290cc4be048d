import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { TwoFactorBegun } from '#contract/account.ts';
import { copyText } from '#web/lib/copy-text.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';

type ScanStepProps = {
  begun: TwoFactorBegun;
  code: string;
  onCode: (code: string) => void;
  error: string | undefined;
};

/** The secret, as a QR code and as text, and the field for the first code. */
export function ScanStep({ begun, code, onCode, error }: ScanStepProps): React.JSX.Element {
  const secret = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // The focused element belonged to the step before; a rejected code is selected for retyping.
  useEffect(() => {
    if (error === undefined) field.current?.focus();
    else field.current?.select();
  }, [error]);
  const copy = (): void => void copyText(begun.secret, 'Secret', secret.current);
  return (
    <div className="flex flex-col gap-5 sm:flex-row sm:items-start">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(begun.qrSvg)}`}
        alt="QR code for your authenticator app. You can enter the secret instead."
        width={208}
        height={208}
        className="size-52 shrink-0 self-center rounded-md border bg-paper sm:self-start"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-5">
        <div>
          <p className="font-medium">Or enter this secret in the app</p>
          <code ref={secret} className="mt-1 block font-mono wrap-anywhere select-all">
            {begun.secret.match(/.{1,4}/g)?.join(' ')}
          </code>
          <Button look="outline" className="mt-2" onClick={copy}>
            <Copy aria-hidden />
            Copy secret
          </Button>
        </div>
        <TextField
          ref={field}
          label="2FA code"
          hint="Enter 6-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          className="font-mono tracking-widest"
          required
          value={code}
          onChange={(event) => onCode(event.target.value)}
          error={error}
        />
      </div>
    </div>
  );
}
