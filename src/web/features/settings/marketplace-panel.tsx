import {
  type Credential,
  credentialsOf,
  isConsented,
  missingCredentials,
  missingSentence,
  priceChannelOf,
} from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { capabilityText } from '#web/lib/capability-text.ts';
import { countOf } from '#web/lib/format.ts';
import { Callout } from '#web/ui/callout.tsx';
import { AccountDeletionBlock } from './account-deletion-block.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { ConsentBlock } from './consent-block.tsx';
import { CredentialField } from './credential-field.tsx';
import { CredentialGuideBlock } from './credential-guide.tsx';
import { FOLDED } from './credential-text.ts';
import { SettingBlock } from './settings-section.tsx';
import { pathOf, type SettingPath } from './settings-values.ts';
import { SwitchRow } from './switch-row.tsx';
import { SyncStatus } from './sync-status.tsx';
import type { ValuesDraft } from './use-values-draft.ts';

type MarketplacePanelProps = {
  marketplace: Marketplace;
  draft: ValuesDraft;
  errors: Readonly<Record<SettingPath, string>>;
  /** The number of listings. */
  listings: number;
};

/** A marketplace: switch, price channel, credentials, connection test, and syncs. */
export function MarketplacePanel(props: MarketplacePanelProps): React.JSX.Element {
  const { marketplace, draft } = props;
  const switchPath = pathOf(marketplace, 'enabled');
  return (
    <div className="divide-y divide-border">
      <SwitchRow
        label={`Enable ${MARKETPLACE_NAMES[marketplace]}`}
        hint="When off, nothing is read or sent there. The credentials stay stored."
        checked={draft.isOn(switchPath)}
        onChange={(isOn) => draft.set(switchPath, isOn)}
      />
      <SettingBlock>
        <Delivery {...props} />
        {draft.isOn(switchPath) && (
          <>
            <Credentials {...props} />
            <ConnectionStatus
              // A result for credentials of before the save is outdated.
              key={draft.stored.version}
              marketplace={marketplace}
              untested={whyUntested(marketplace, draft)}
            />
            <SyncStatus marketplace={marketplace} />
          </>
        )}
      </SettingBlock>
    </div>
  );
}

/** Whether a value is stored, ignoring unsaved edits. */
const isStored =
  (marketplace: Marketplace, draft: ValuesDraft) =>
  (name: string): boolean =>
    draft.storedValue(pathOf(marketplace, name)) !== '';

function whyUntested(marketplace: Marketplace, draft: ValuesDraft): string | null {
  if (draft.isChanged(`marketplaces.${marketplace}`)) {
    return 'Save the settings first. The test uses the saved settings.';
  }
  const missing = missingCredentials(marketplace, isStored(marketplace, draft));
  return missing.length === 0 ? null : missingSentence(marketplace, missing);
}

/** How prices reach the marketplace now, and the effect of the switch. */
function Delivery({ marketplace, draft, listings }: MarketplacePanelProps): React.JSX.Element {
  const name = MARKETPLACE_NAMES[marketplace];
  const switchPath = pathOf(marketplace, 'enabled');
  const isOn = draft.isOn(switchPath);
  const isStoredOn = draft.storedValue(switchPath) === true;
  const delivery = priceChannelOf(marketplace, isOn, isStored(marketplace, draft));
  const byFile = `${name} is not connected. Download its price file from the repricing menu in the header and upload it to ${name}.`;
  if (delivery === 'file') {
    return (
      <Muted>
        {byFile}{' '}
        {isOn
          ? `With credentials, prices are sent automatically once ${name} is live. ${capabilityText(marketplace)}`
          : 'No credentials are stored.'}
      </Muted>
    );
  }
  if (delivery === 'connected') {
    return (
      <Muted>
        {isStoredOn
          ? `Prices are sent to ${name} with the stored credentials once it is live.`
          : `After you save, ${name} starts in recommend only. Go live to send prices to it with the stored credentials.`}{' '}
        {capabilityText(marketplace)}
      </Muted>
    );
  }
  if (delivery === 'read_only') return <ReadOnly marketplace={marketplace} isStoredOn={isStoredOn} />;
  const keepsOn = `Prices of ${
    listings === 0 ? 'its listings' : countOf(listings, 'listing', 'listings')
  } there are not changed automatically. They are still recommended`;
  if (isOn) {
    const missing = missingCredentials(marketplace, isStored(marketplace, draft));
    return (
      <Callout tone="info" title={`${name} is paused`}>
        <p className="max-w-[80ch] text-fg-muted">
          {missingSentence(marketplace, missing)} {keepsOn} until that is entered.
        </p>
      </Callout>
    );
  }
  return (
    <Callout tone="info" title={isStoredOn ? `When ${name} is off` : `${name} is paused`}>
      <p className="max-w-[80ch] text-fg-muted">
        {keepsOn}, and you can apply them. The credentials stay stored. When turned on again, {name} only
        recommends prices until an administrator goes live.
      </p>
    </Callout>
  );
}

/** Michaels with credentials but without permission to send prices. */
function ReadOnly({
  marketplace,
  isStoredOn,
}: {
  marketplace: Marketplace;
  isStoredOn: boolean;
}): React.JSX.Element {
  const name = MARKETPLACE_NAMES[marketplace];
  return (
    <Callout tone="info" title={`Prices for ${name} are only recommended`}>
      <p className="max-w-[80ch] text-fg-muted">
        {isStoredOn ? `${name} is synced` : `After you save, ${name} is synced`} with the stored key, and no
        price is sent there. Prices are only recommended; apply the ones you want and upload them by file. To
        send them automatically, turn on “Let prices be sent (beta)” below and save.
      </p>
    </Callout>
  );
}

function Muted({ children }: { children: React.ReactNode }): React.JSX.Element {
  return <p className="max-w-[80ch] text-fg-muted">{children}</p>;
}

function Credentials(props: MarketplacePanelProps): React.JSX.Element {
  const { marketplace, draft } = props;
  const folds = FOLDED[marketplace] ?? [];
  const members = credentialsOf(marketplace);
  const isFolded = ({ name }: Credential): boolean => folds.some(({ names }) => names.includes(name));
  return (
    <>
      <CredentialGuideBlock marketplace={marketplace} />
      <Fields {...props} members={members.filter((member) => !isFolded(member))} />
      {marketplace === 'ebay' && <AccountDeletionBlock />}
      {isConsented(marketplace) && <ConsentBlock marketplace={marketplace} draft={draft} />}
      {folds.map(({ title, names, isQuiet = false }) => (
        <Folded
          key={title}
          {...props}
          title={title}
          isQuiet={isQuiet}
          members={members.filter(({ name }) => names.includes(name))}
        />
      ))}
    </>
  );
}

type FieldsProps = MarketplacePanelProps & { members: readonly Credential[] };

function Fields({ members, ...props }: FieldsProps): React.JSX.Element {
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      {members.map((member) => (
        <CredentialField key={member.name} {...props} member={member} />
      ))}
    </div>
  );
}

type FoldedProps = FieldsProps & { title: string; isQuiet: boolean };

function Folded({ title, isQuiet, ...props }: FoldedProps): React.JSX.Element {
  const { marketplace, draft, errors, members } = props;
  // A section with a value or an error must be visible.
  const isOpen = members.some(
    ({ name }) =>
      errors[pathOf(marketplace, name)] !== undefined || (!isQuiet && isStored(marketplace, draft)(name)),
  );
  return (
    <details open={isOpen || undefined}>
      <summary className="min-h-11 cursor-pointer rounded-sm py-2 font-medium dense:min-h-8">{title}</summary>
      <div className="mt-2">
        <Fields {...props} />
      </div>
    </details>
  );
}
