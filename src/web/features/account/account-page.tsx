import { useQuery } from '@tanstack/react-query';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { EmailsCard } from './emails-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { accountQuery } from './queries.ts';
import { SessionsCard } from './sessions-card.tsx';
import { TokensCard } from './tokens-card.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

/** The user's own account. */
export function AccountPage(): React.JSX.Element {
  const account = useQuery(accountQuery);
  const phase = useDelayed(account.isPending);
  return (
    <div className="flex max-w-4xl flex-col gap-3">
      <PageHeading
        title="Account & security"
        subtitle="Your profile, password, two-factor authentication, sessions and API tokens."
      />
      <QueryView
        query={account}
        phase={phase}
        loading={<AccountSkeleton />}
        failed={(error, retry) => (
          <LoadFailed
            title={
              account.data === undefined ? 'Failed to load your account' : 'Failed to refresh your account'
            }
            error={error}
            onRetry={retry}
            retrying={account.isFetching}
          />
        )}
      >
        {(loaded) => (
          <div className="flex flex-col gap-3">
            <ProfileCard profile={loaded.profile} />
            <EmailsCard profile={loaded.profile} />
            {/* Both belong to the identity provider where a user has no password here. */}
            {!loaded.profile.isProviderOnly && <PasswordCard account={loaded} />}
            {!loaded.profile.isProviderOnly && <TwoFactorCard account={loaded} />}
          </div>
        )}
      </QueryView>
      {/* They load with the rest, and are shown below it, so that nothing is pushed down. */}
      <div hidden={phase !== 'ready'} className="flex flex-col gap-3">
        <SessionsCard />
        <TokensCard />
      </div>
    </div>
  );
}

function AccountSkeleton(): React.JSX.Element {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Loading your account</span>
      <ListSkeleton of="fields" rows={3} inCard />
      <ListSkeleton rows={3} inCard />
      <ListSkeleton rows={2} inCard />
    </div>
  );
}
