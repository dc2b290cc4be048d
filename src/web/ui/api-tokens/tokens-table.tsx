import { Clock } from 'lucide-react';
import type { ApiToken } from '#contract/api-tokens.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { SCOPE_LABELS } from './scope-labels.ts';

type TokensTableProps = {
  tokens: readonly ApiToken[];
  ofAll: boolean;
  onRevoke: (token: ApiToken) => void;
};

/** On a phone all but the name is under it. */
export function TokensTable({ tokens, ofAll, onRevoke }: TokensTableProps): React.JSX.Element {
  return (
    <PlainTable caption={ofAll ? 'API tokens of all users' : 'Your API tokens'} isBare>
      <thead>
        <tr>
          <HeadCell>Name</HeadCell>
          {ofAll && <HeadCell className="max-md:hidden">User</HeadCell>}
          <HeadCell className="max-md:hidden">Scopes</HeadCell>
          <HeadCell className="max-md:hidden">Created</HeadCell>
          <HeadCell className="max-md:hidden">Expires</HeadCell>
          <HeadCell className="max-md:hidden">Last used</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id}>
            <Cell>
              <span className="font-medium wrap-anywhere">{token.name}</span>
              <span className="flex flex-wrap gap-x-2 text-sm text-fg-muted md:hidden">
                {ofAll && <span className="wrap-anywhere">{token.username}</span>}
                <span>{scopesText(token)}</span>
                <span>
                  expires <MomentText iso={token.expiresAt} />
                </span>
                <LastUse token={token} />
              </span>
            </Cell>
            {ofAll && <Cell className="wrap-anywhere max-md:hidden">{token.username}</Cell>}
            <Cell className="max-md:hidden">{scopesText(token)}</Cell>
            <Cell className="max-md:hidden">
              <MomentText iso={token.createdAt} />
            </Cell>
            <Cell className="max-md:hidden">
              {token.isExpired ? (
                <Badge tone="warning" icon={Clock}>
                  Expired
                </Badge>
              ) : (
                <MomentText iso={token.expiresAt} />
              )}
            </Cell>
            <Cell className="max-md:hidden">
              <LastUse token={token} />
            </Cell>
            <Cell className="text-right">
              <Button
                look="outline"
                aria-label={`Revoke ${token.name}${ofAll ? ` of ${token.username}` : ''}`}
                onClick={() => onRevoke(token)}
              >
                Revoke...
              </Button>
            </Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function scopesText({ scopes }: ApiToken): string {
  return scopes.map((scope) => SCOPE_LABELS[scope].name).join(', ');
}

/** To the hour, and from which network. */
function LastUse({ token: { lastUsedAt, lastNetwork } }: { token: ApiToken }): React.JSX.Element {
  if (lastUsedAt === null) return <span>Never used</span>;
  return (
    <span>
      <MomentText iso={lastUsedAt} />
      {lastNetwork !== null && <span className="font-mono text-sm wrap-anywhere"> {lastNetwork}</span>}
    </span>
  );
}
