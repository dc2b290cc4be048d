import { type Control, type Path, useController } from 'react-hook-form';
import { SecondFactorField } from './second-factor-field.tsx';

type SecondFactorOfFormProps<Fields extends { twoFactorToken: string }> = {
  control: Control<Fields>;
  /** The server's error for the sent code; an error of the currently typed code comes first. */
  error?: string | undefined;
};

/** {@link SecondFactorField} as the field `twoFactorToken` of a form. */
export function SecondFactorOfForm<Fields extends { twoFactorToken: string }>({
  control,
  error,
}: SecondFactorOfFormProps<Fields>): React.JSX.Element {
  const { field, fieldState } = useController({ control, name: 'twoFactorToken' as Path<Fields> });
  return (
    <SecondFactorField
      ref={field.ref}
      value={field.value}
      onChange={field.onChange}
      error={fieldState.error?.message ?? error}
    />
  );
}
