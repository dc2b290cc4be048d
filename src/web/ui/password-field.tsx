import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { TextField } from './text-field.tsx';

/** A password input that can show the typed text. */
export function PasswordField(
  props: Omit<ComponentProps<typeof TextField>, 'type' | 'end'>,
): React.JSX.Element {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      end={
        <IconButton
          name={shown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!shown)}
          className="size-10 dense:size-8"
        >
          <Icon aria-hidden />
        </IconButton>
      }
    />
  );
}
