import { SECRET_MASK } from '#contract/settings.ts';
import type { Credential } from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { CREDENTIAL_HINTS, REGIONS } from './credential-text.ts';
import { SecretField } from './secret-field.tsx';
import { pathOf, type SettingPath } from './settings-values.ts';
import type { ValuesDraft } from './use-values-draft.ts';

/** Fields that are "yes" or not set. */
const SWITCHES: ReadonlySet<string> = new Set([
  'allowWrites',
  'quotesPrices',
  'ignorePriceLimits',
  'repriceOnSale',
  'raiseBestOffers',
]);

/** Fields that are a day. */
const DAYS: ReadonlySet<string> = new Set(['refreshTokenExpiresAt', 'credentialExpiresAt']);

type CredentialFieldProps = {
  marketplace: Marketplace;
  member: Credential;
  draft: ValuesDraft;
  errors: Readonly<Record<SettingPath, string>>;
};

/** One field of a marketplace's credentials: a secret, a select, a day, a switch or a text. */
export function CredentialField(props: CredentialFieldProps): React.JSX.Element {
  const { marketplace, draft, errors, member } = props;
  const { name, label, isSecret } = member;
  const path = pathOf(marketplace, name);
  const words = { label, hint: CREDENTIAL_HINTS[marketplace][name] ?? '', error: errors[path] };
  const set = (value: string): void => draft.set(path, value);
  if (isSecret) {
    return (
      <SecretField
        // Saving closes it again.
        key={draft.stored.version}
        {...words}
        fullName={`${MARKETPLACE_NAMES[marketplace]} ${label}`}
        value={draft.text(path)}
        isStored={draft.storedValue(path) === SECRET_MASK}
        onChange={set}
      />
    );
  }
  if (name === 'region') {
    const chosen = REGIONS.find(({ value }) => value === draft.text(path)) ?? REGIONS[0];
    return <SelectField {...words} options={REGIONS} value={chosen.value} onChange={set} />;
  }
  if (SWITCHES.has(name)) {
    return (
      <div className="flex flex-col">
        <Switch
          label={label}
          checked={draft.text(path) === 'yes'}
          onChange={(isOn) => set(isOn ? 'yes' : '')}
          className="self-start"
        />
        <p className="text-sm text-fg-muted">{words.hint}</p>
      </div>
    );
  }
  return (
    <TextField
      {...words}
      type={DAYS.has(name) ? 'date' : 'text'}
      autoComplete="off"
      spellCheck={false}
      maxLength={500}
      value={draft.text(path)}
      onChange={(event) => set(event.target.value)}
    />
  );
}
