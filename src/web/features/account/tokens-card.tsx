import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { ownTokensQuery } from '#web/ui/api-tokens/token-calls.ts';
import { TokenList } from '#web/ui/api-tokens/token-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { AccountSection } from './account-section.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';

/** The API tokens of the account. */
export function TokensCard(): React.JSX.Element {
  const tokens = useQuery(ownTokensQuery);
  const [isNew, setNew] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <AccountSection
      title="API tokens"
      subtitle="A token lets a program do what its scopes allow, never more than your role. All tokens end when your password, role or second factor changes."
      headingRef={heading}
      actions={
        <Button look="outline" onClick={() => setNew(true)}>
          <Plus aria-hidden />
          New token...
        </Button>
      }
    >
      {/* As wide as the card, with the edges of its rows. */}
      <div className="-mx-4">
        <TokenList
          tokens={tokens}
          empty={
            <p className="px-4 text-fg-muted">
              No API tokens yet. Create one for a program that calls the API.
            </p>
          }
          onRevoked={() => heading.current?.focus()}
        />
      </div>
      {isNew && <NewTokenDialog onClose={() => setNew(false)} />}
    </AccountSection>
  );
}
