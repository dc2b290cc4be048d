import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { Account } from '#contract/account.ts';
import { EditProfile } from '#contract/sessions.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { AccountSection } from './account-section.tsx';
import { useEditProfile } from './queries.ts';
import { useServerFieldErrors } from './use-server-field-errors.ts';

const FIELDS = ['fullName', 'phoneNumber'] as const;

/** A stored number may predate the rules: it does not block a new name. */
const fieldsWith = (storedNumber: string) =>
  z.object({
    fullName: EditProfile.shape.fullName,
    phoneNumber: z.literal(storedNumber).or(EditProfile.shape.phoneNumber.unwrap()),
  });

/** Name and phone number can be edited here; the rest is set by an administrator. */
export function ProfileCard({ profile }: { profile: Account['profile'] }): React.JSX.Element {
  const edit = useEditProfile();
  const { fullName, phoneNumber } = profile;
  const form = useForm({
    resolver: zodResolver(fieldsWith(phoneNumber)),
    // The current value, also after it was saved or changed elsewhere; typed text stays.
    values: { fullName, phoneNumber },
    resetOptions: { keepDirtyValues: true },
    mode: 'onTouched',
  });
  useServerFieldErrors(form, edit.error, FIELDS);
  const { errors, isDirty } = form.formState;
  const submit = form.handleSubmit((wanted) =>
    edit.mutate(wanted.phoneNumber === phoneNumber ? { fullName: wanted.fullName } : wanted, {
      onSuccess: (saved) => form.reset({ fullName: saved.fullName, phoneNumber: saved.phoneNumber }),
    }),
  );
  return (
    <AccountSection
      title="Profile"
      subtitle="Administrators see this under Users. Your email address and username were verified and approved, so they cannot be changed."
    >
      <form noValidate onSubmit={submit} aria-label="Profile" className="flex flex-col gap-5">
        <div className="grid gap-x-6 gap-y-4 md:grid-cols-2">
          <TextField
            label="Full name"
            autoComplete="name"
            required
            error={errors.fullName?.message}
            {...form.register('fullName')}
          />
          <TextField
            label="Phone number"
            type="tel"
            autoComplete="tel"
            required
            error={errors.phoneNumber?.message}
            {...form.register('phoneNumber')}
          />
        </div>
        <Facts profile={profile} />
        <Button
          type="submit"
          look="outline"
          className="self-start"
          disabled={!isDirty}
          pending={edit.isPending}
          pendingText="Saving..."
        >
          Save profile
        </Button>
      </form>
    </AccountSection>
  );
}

function Facts({ profile }: { profile: Account['profile'] }): React.JSX.Element {
  const facts = [
    ['Email address', profile.email],
    ...(profile.username === profile.email ? [] : [['Username', profile.username]]),
    ['Role', profile.role === 'admin' ? 'Admin' : 'User'],
  ];
  return (
    <dl className="grid gap-x-6 gap-y-3 md:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-fg-muted">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
