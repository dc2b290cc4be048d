import { SECRET_MASK } from '#contract/settings.ts';
import { credentialsOf } from '#domain/credentials.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf } from '#web/lib/format.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { CREDENTIAL_WORDS } from './credential-words.ts';
import { SecretField } from './secret-field.tsx';
import { pathOf, type SettingPath } from './settings-values.ts';
import type { ValuesDraft } from './use-values-draft.ts';

type MarketplacePanelProps = {
  marketplace: Marketplace;
  draft: ValuesDraft;
  errors: Readonly<Record<SettingPath, string>>;
  /** How many listings there are. */
  listings: number;
};

/** A marketplace: its switch, how its prices leave, and its keys while it is on. */
export function MarketplacePanel(props: MarketplacePanelProps): React.JSX.Element {
  const { marketplace, draft } = props;
  const switchPath = pathOf(marketplace, 'enabled');
  return (
    <div className="flex flex-col gap-4">
      <Switch
        label={`Enable ${MARKETPLACE_NAMES[marketplace]}`}
        checked={draft.isOn(switchPath)}
        onChange={(isOn) => draft.set(switchPath, isOn)}
        className="self-start"
      />
      <Delivery {...props} />
      {draft.isOn(switchPath) && (
        <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
          {credentialsOf(marketplace).map(({ name, isSecret }) => (
            <Credential key={name} {...props} name={name} isSecret={isSecret} />
          ))}
        </div>
      )}
    </div>
  );
}

/** How prices reach the marketplace today, and what the switch does about it. */
function Delivery({ marketplace, draft, listings }: MarketplacePanelProps): React.JSX.Element {
  const name = MARKETPLACE_NAMES[marketplace];
  const switchPath = pathOf(marketplace, 'enabled');
  const hasKey = credentialsOf(marketplace).some(
    (member) => member.isSecret && draft.storedValue(pathOf(marketplace, member.name)) === SECRET_MASK,
  );
  const byFile = `Prices reach ${name} by file: you download it from the bar under the header and upload it there.`;
  if (draft.isOn(switchPath)) {
    return (
      <p className="max-w-[80ch] text-fg-muted">
        {byFile}{' '}
        {hasKey
          ? 'The keys are stored, and nothing is sent with them.'
          : 'It needs no key; keys that you enter are stored, and nothing is sent with them.'}
      </p>
    );
  }
  if (!hasKey) {
    return (
      <p className="max-w-[80ch] text-fg-muted">
        {byFile} No key is stored, so that being off stops nothing.
      </p>
    );
  }
  const isStoredOn = draft.storedValue(switchPath) === true;
  return (
    <Notice tone="info" title={isStoredOn ? `What stops when ${name} is off` : `${name} is paused`}>
      <p className="max-w-[80ch] text-fg-muted">
        The engine changes no price of{' '}
        {listings === 0 ? 'its listings' : countOf(listings, 'listing', 'listings')} there by itself. It goes
        on computing prices and recommends them; people can still apply them and download the file. The keys
        stay stored: switched on again, everything goes on as before.
      </p>
    </Notice>
  );
}

type CredentialProps = MarketplacePanelProps & { name: string; isSecret: boolean };

function Credential({ marketplace, draft, errors, name, isSecret }: CredentialProps): React.JSX.Element {
  const path = pathOf(marketplace, name);
  const { label, hint } = CREDENTIAL_WORDS[marketplace][name] ?? { label: name, hint: '' };
  const error = errors[path];
  const set = (value: string): void => draft.set(path, value);
  if (isSecret) {
    return (
      <SecretField
        // A save closes it again.
        key={draft.stored.version}
        {...{ label, hint, error }}
        fullName={`${MARKETPLACE_NAMES[marketplace]} ${label}`}
        value={draft.text(path)}
        isStored={draft.storedValue(path) === SECRET_MASK}
        onChange={set}
      />
    );
  }
  return (
    <TextField
      {...{ label, hint, error }}
      autoComplete="off"
      spellCheck={false}
      maxLength={500}
      value={draft.text(path)}
      onChange={(event) => set(event.target.value)}
    />
  );
}
