import { useEffect, useRef, useState } from 'react';
import { SECRET_MASK } from '#contract/settings.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

type SecretFieldProps = {
  label: string;
  /** With its owner, where the label alone is ambiguous: "Veeqo API key". */
  fullName: string;
  hint: string;
  /** "" if not set, the mask if stored, else the typed text. */
  value: string;
  isStored: boolean;
  error?: string | undefined;
  onChange: (value: string) => void;
};

/** A secret that can be set, replaced and removed, and is never shown again. */
export function SecretField(props: SecretFieldProps): React.JSX.Element {
  const { label, fullName, hint, value, isStored, error, onChange } = props;
  const [isReplacing, setReplacing] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const isTyped = value !== '' && value !== SECRET_MASK;
  const isOpen = !isStored || isReplacing || isTyped || error !== undefined;
  const close = (): void => {
    setReplacing(false);
    setWasOpen(true);
    onChange(SECRET_MASK);
  };
  if (!isOpen) {
    return (
      <StoredSecret
        {...{ label, fullName, onChange }}
        isRemoved={value === ''}
        takesFocus={wasOpen}
        onReplace={() => setReplacing(true)}
      />
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <SecretInput
        {...{ label, hint, error }}
        takesFocus={isReplacing}
        value={isTyped ? value : ''}
        // An empty field does not remove the secret: there is a button for that.
        onChange={(text) => onChange(text === '' && isStored ? SECRET_MASK : text)}
      />
      {isStored && (
        <Button look="outline" onClick={close}>
          Leave blank to keep the stored one
        </Button>
      )}
    </div>
  );
}

type SecretInputProps = Pick<SecretFieldProps, 'label' | 'hint' | 'error' | 'value' | 'onChange'> & {
  takesFocus: boolean;
};

function SecretInput({ takesFocus, onChange, ...field }: SecretInputProps): React.JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  return (
    <div ref={box} className="w-full">
      <PasswordField
        {...field}
        autoComplete="new-password"
        maxLength={4_000}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

type StoredSecretProps = Pick<SecretFieldProps, 'label' | 'fullName' | 'onChange'> & {
  isRemoved: boolean;
  /** Was open before: the focus stays. */
  takesFocus: boolean;
  onReplace: () => void;
};

function StoredSecret(props: StoredSecretProps): React.JSX.Element {
  const { label, fullName, isRemoved, takesFocus, onReplace, onChange } = props;
  const [isAsking, setAsking] = useState(false);
  const replace = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) replace.current?.focus();
  }, [takesFocus]);
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-2 text-fg-muted">{isRemoved ? 'Removed when you save' : <StoredDots />}</span>
        <Button ref={replace} look="outline" aria-label={`Replace ${fullName}`} onClick={onReplace}>
          Replace
        </Button>
        {isRemoved ? (
          <Button look="outline" aria-label={`Keep ${fullName}`} onClick={() => onChange(SECRET_MASK)}>
            Keep
          </Button>
        ) : (
          <Button look="outline" aria-label={`Remove ${fullName}`} onClick={() => setAsking(true)}>
            Remove
          </Button>
        )}
      </div>
      <AlertDialog
        open={isAsking}
        onCancel={() => setAsking(false)}
        title={`Remove the stored ${fullName}?`}
        action="Remove key"
        onConfirm={() => {
          setAsking(false);
          onChange('');
        }}
      >
        <p>
          The key is deleted when you save and cannot be recovered. To turn the marketplace off temporarily,
          use its switch instead.
        </p>
      </AlertDialog>
    </fieldset>
  );
}

function StoredDots(): React.JSX.Element {
  return (
    <>
      <span aria-hidden className="tracking-widest">
        ••••••••
      </span>{' '}
      Stored, not shown
    </>
  );
}
