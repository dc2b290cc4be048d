import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { allTokensQuery } from '#web/ui/api-tokens/token-calls.ts';
import { TokenList } from '#web/ui/api-tokens/token-list.tsx';
import { touchTarget } from '#web/ui/control-classes.ts';
import { SettingBlock, SettingsSection } from './settings-section.tsx';

/** The API tokens of all users. Each user creates their own on the account page. */
export function TokensSection(): React.JSX.Element {
  const tokens = useQuery(allTokensQuery);
  const link = useRef<HTMLAnchorElement>(null);
  return (
    <SettingsSection
      id="api-tokens"
      subtitle="Programs that call the API, of all users. A token never does more than the role of its user. Revoking takes effect at once, without Save All Settings."
    >
      <SettingBlock>
        <TokenList
          tokens={tokens}
          ofAll
          empty={<p className="text-fg-muted">No user has an API token.</p>}
          onRevoked={() => link.current?.focus()}
        />
        <p>
          <Link ref={link} to="/account" className={`text-link underline ${touchTarget}`}>
            Create your own under Account & security
          </Link>
        </p>
      </SettingBlock>
    </SettingsSection>
  );
}
