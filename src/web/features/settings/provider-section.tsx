import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ProviderSettings, ProviderTest } from '#contract/identity-provider.ts';
import { ApiError, call, errorText } from '#web/lib/api.ts';
import { loginWaysQuery } from '#web/lib/provider-login.ts';
import { callWithStepUp, isDeclined } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { RadioGroupField } from '#web/ui/radio-group-field.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { editOf, formOf, type ProviderForm } from './provider-form.ts';
import { SettingBlock, SettingsSection } from './settings-section.tsx';
import { SwitchRow } from './switch-row.tsx';
import { type ReportUnsaved, useReportUnsaved } from './unsaved-sections.ts';

const providerQuery = queryOptions({
  queryKey: ['identity-provider'],
  queryFn: () => call(ProviderSettings, 'GET', '/api/openid/settings'),
});

/** Login with an identity provider. It takes effect at once, apart from the other settings. */
export function ProviderSection({ onUnsaved }: { onUnsaved: ReportUnsaved }): React.JSX.Element {
  const settings = useQuery(providerQuery);
  return (
    <SettingsSection
      id="login"
      subtitle="Users can log in with an identity provider (OpenID Connect) instead of a password here. Changes take effect with Save login, without Save All Settings."
    >
      {settings.error !== null && (
        <SettingBlock>
          <LoadFailed
            title="Failed to load the login settings"
            error={settings.error}
            onRetry={() => void settings.refetch()}
            retrying={settings.isFetching}
          />
        </SettingBlock>
      )}
      {settings.isPending && (
        <SettingBlock>
          <Spinner />
        </SettingBlock>
      )}
      {settings.data !== undefined && (
        // A save, or a load after a conflict, begins the form anew.
        <ProviderBody key={settings.data.version} stored={settings.data} onUnsaved={onUnsaved} />
      )}
    </SettingsSection>
  );
}

type ProviderBodyProps = { stored: ProviderSettings; onUnsaved: ReportUnsaved };

/** The fields, once they are requested: most shops have no identity provider. */
function ProviderBody({ stored, onUnsaved }: ProviderBodyProps): React.JSX.Element {
  const [isOpen, setOpen] = useState(stored.values !== null);
  if (isOpen) return <ProviderFields stored={stored} onUnsaved={onUnsaved} />;
  return (
    <SettingBlock>
      <p className="text-fg-muted">No identity provider is set up. Users log in with their passwords.</p>
      <Button look="outline" className="self-start" onClick={() => setOpen(true)}>
        Set up an identity provider
      </Button>
    </SettingBlock>
  );
}

function ProviderFields({ stored, onUnsaved }: ProviderBodyProps): React.JSX.Element {
  const [form, setForm] = useState(() => formOf(stored));
  const set = (change: Partial<ProviderForm>): void => setForm((before) => ({ ...before, ...change }));
  useReportUnsaved(onUnsaved, 'login', JSON.stringify(form) !== JSON.stringify(formOf(stored)));
  const save = useSaveProvider();
  const test = useMutation({
    mutationFn: () => callWithStepUp(ProviderTest, 'POST', '/api/openid/test', { issuer: form.issuer }),
  });
  const errorOf = (name: string): string | undefined =>
    save.error instanceof ApiError
      ? Object.entries(save.error.fields).find(([field]) => field.split('.')[0] === name)?.[1]
      : undefined;
  const text = (name: 'issuer' | 'clientId' | 'label' | 'scopes' | 'groupsClaim') => ({
    value: form[name],
    error: errorOf(name),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => set({ [name]: event.target.value }),
  });
  const lines = (name: 'adminGroups' | 'userGroups' | 'factorAcrs') => ({
    value: form[name],
    error: errorOf(name),
    onChange: (event: React.ChangeEvent<HTMLTextAreaElement>) => set({ [name]: event.target.value }),
  });
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (!save.isPending) save.mutate(editOf(form, stored.version));
  };
  return (
    <form noValidate aria-label="Login" onSubmit={submit} className="divide-y divide-border">
      <SwitchRow
        label="Log in with the identity provider"
        hint="Shows its button on the login page."
        checked={form.isOn}
        onChange={(isOn) => set({ isOn })}
      />
      <SettingBlock>
        <TextField
          label="Redirect URI"
          hint="Enter it at the provider, exactly like this."
          value={stored.redirectUri}
          readOnly
          onFocus={(event) => event.target.select()}
        />
        <TextField
          label="Issuer URL"
          hint="The provider’s own address, such as https://login.example.com/realms/shop"
          {...text('issuer')}
        />
        <TestResult
          result={test.data}
          error={isDeclined(test.error) ? null : test.error}
          isPending={test.isPending}
          onTest={() => test.mutate()}
        />
        <TextField label="Client ID" {...text('clientId')} />
        <PasswordField
          label="Client secret"
          hint="Empty for a public client."
          autoComplete="off"
          value={form.clientSecret}
          error={errorOf('clientSecret')}
          onChange={(event) => set({ clientSecret: event.target.value })}
        />
        <TextField
          label="Name on the button"
          hint="Users see “Log in with” and this name."
          {...text('label')}
        />
        <TextField label="Scopes" hint="Separated by spaces." {...text('scopes')} />
      </SettingBlock>
      <SettingBlock>
        <TextField
          label="Groups claim"
          hint="Where the provider lists a user’s groups."
          {...text('groupsClaim')}
        />
        <TextAreaField
          label="Groups that may log in"
          hint="One per line. Leave blank to allow everyone the provider lets in."
          {...lines('userGroups')}
        />
        <TextAreaField
          label="Groups of administrators"
          hint="One per line. Members get this role at their next login, and others lose it. Leave blank to assign roles under Users."
          {...lines('adminGroups')}
        />
      </SettingBlock>
      <SwitchRow
        label="Link existing accounts"
        hint="The first login is linked to the account with the same email address, if the provider has verified it. Only for providers that you trust with every account here."
        checked={form.linksAccounts}
        onChange={(linksAccounts) => set({ linksAccounts })}
      />
      <SwitchRow
        label="Create accounts"
        hint="Members of the groups above get an account at their first login, without approval."
        checked={form.createsAccounts}
        onChange={(createsAccounts) => set({ createsAccounts })}
      />
      <SettingBlock>
        <RadioGroupField
          label="Two-factor authentication"
          value={form.secondFactor}
          options={[
            {
              value: 'reported',
              label: 'Only logins for which the provider reports it',
              hint: 'By “mfa” in the claim amr, or a value below in the claim acr.',
            },
            {
              value: 'provider',
              label: 'The provider is responsible',
              hint: 'Every login with it counts as two-factor, and Pricewright does not ask for its own codes.',
            },
          ]}
          onChange={(secondFactor) => set({ secondFactor })}
        />
        {form.secondFactor === 'reported' && (
          <TextAreaField
            label="Values of acr that mean two factors"
            hint="One a line, as the provider defines them. May be empty."
            {...lines('factorAcrs')}
          />
        )}
        <RadioGroupField
          label="Passwords"
          value={form.directLogin}
          error={errorOf('directLogin')}
          options={[
            { value: 'all', label: 'Everyone with a password may log in with it' },
            {
              value: 'administrators',
              label: 'Only administrators log in with a password',
              hint: 'They need one when the provider fails. All others who use one are logged out.',
            },
          ]}
          onChange={(directLogin) => set({ directLogin })}
        />
        {save.error !== null && !isDeclined(save.error) && (
          <Callout tone="danger" role="alert" title="Could not save the login settings">
            <p className="text-fg-muted">{errorText(save.error)}</p>
          </Callout>
        )}
        <Button
          type="submit"
          look="outline"
          className="self-start"
          pending={save.isPending}
          pendingText="Saving..."
        >
          Save login
        </Button>
      </SettingBlock>
    </form>
  );
}

function useSaveProvider() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edit: ReturnType<typeof editOf>) =>
      callWithStepUp(ProviderSettings, 'PUT', '/api/openid/settings', edit),
    onSuccess: async (saved) => {
      client.setQueryData(providerQuery.queryKey, saved);
      await client.invalidateQueries({ queryKey: loginWaysQuery.queryKey });
      toast('Login saved', saved.values?.isOn === true ? 'The button is on the login page.' : 'It is off.');
    },
  });
}

type TestResultProps = {
  result: ProviderTest | undefined;
  error: Error | null;
  isPending: boolean;
  onTest: () => void;
};

function TestResult({ result, error, isPending, onTest }: TestResultProps): React.JSX.Element {
  return (
    <>
      <Button
        look="outline"
        className="self-start"
        pending={isPending}
        pendingText="Testing..."
        onClick={onTest}
      >
        Test provider
      </Button>
      {error !== null && (
        <Callout tone="danger" role="alert" title="The test failed">
          <p className="text-fg-muted">{errorText(error)}</p>
        </Callout>
      )}
      {result !== undefined && (
        <Callout
          tone={result.isUsable ? 'success' : 'danger'}
          role="status"
          title={result.isUsable ? 'The provider can be used' : 'The provider cannot be used'}
        >
          <ul className="list-disc pl-4 text-fg-muted">
            {result.findings.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Callout>
      )}
    </>
  );
}
