import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { FirstAdmin } from '#contract/first-admin.ts';
import type { LoginPayload, Registered } from '#contract/session.ts';
import { loginWaysQuery } from '#web/lib/provider-login.ts';
import { BrandMark } from '#web/ui/brand.tsx';
import { Card } from '#web/ui/card.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { FeatureList } from './feature-list.tsx';
import { FirstAdminCallout } from './first-admin-callout.tsx';
import { LoginForm } from './login-form.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { PriceLadder } from './price-ladder.tsx';
import { ProviderButton } from './provider-button.tsx';
import { firstAdminQuery } from './queries.ts';
import { RegisterForm } from './register-form.tsx';
import { WaitingPanel } from './waiting-panel.tsx';

/** The product and its features, next to the form. On a phone the form comes first. */
export function AuthPage(): React.JSX.Element {
  return (
    <main
      id="main"
      className="grid min-h-dvh content-start lg:grid-cols-[1fr_minmax(30rem,40%)] lg:content-stretch"
    >
      <div className="flex flex-col gap-8 px-4 pt-8 sm:px-8 lg:justify-center lg:border-r lg:bg-sidebar lg:p-12 wide:px-20">
        <div className="mx-auto w-full max-w-[26rem] lg:mx-0 lg:max-w-xl">
          <p className="flex items-center gap-2.5 text-lg font-semibold">
            <BrandMark className="size-8" />
            Pricewright
          </p>
          <h1 tabIndex={-1} className="mt-6 text-2xl font-semibold text-balance lg:mt-8 lg:text-3xl">
            Follow the market down. Stop at your margin.
          </h1>
        </div>
        <div className="hidden max-w-xl flex-col gap-10 lg:flex">
          <PriceLadder className="max-w-md" />
          <FeatureList />
        </div>
      </div>
      <div className="flex flex-col items-center px-4 py-8 sm:px-8 lg:justify-center">
        <WayIn />
      </div>
    </main>
  );
}

/** The forms, once it is known which of them comes first: nothing may move while the user types. */
function WayIn(): React.JSX.Element {
  const { data, isPending } = useQuery(firstAdminQuery);
  const ways = useQuery(loginWaysQuery);
  if (isPending || ways.isPending) {
    return (
      <p role="status" className="text-fg-muted">
        <Spinner className="size-6" />
        <span className="sr-only">Loading the login page</span>
      </p>
    );
  }
  return (
    <>
      <AuthCard way={data?.way} provider={ways.data?.provider ?? null} />
      <div className="mt-10 w-full max-w-[26rem] lg:hidden">
        <FeatureList />
      </div>
    </>
  );
}

type AuthCardProps = {
  /** How to become the first administrator; undefined if the server did not answer. */
  way: FirstAdmin['way'] | undefined;
  /** The name of the identity provider; null where there is none. */
  provider: string | null;
};

/** The tab is in the address; `setup` is the token of the one-time link of the first start, useless once used. */
function AuthCard({ way, provider }: AuthCardProps): React.JSX.Element {
  const search: { tab?: string; setup?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [waiting, setWaiting] = useState<Registered | null>(null);
  const [expired, setExpired] = useState<LoginPayload | null>(null);
  const setupToken = way === 'taken' ? undefined : search.setup;
  const opens = setupToken !== undefined || way === 'registration' ? 'register' : 'login';
  const chosen = search.tab === 'login' || search.tab === 'register' ? search.tab : opens;
  const choose = (tab: string): void => {
    setWaiting(null);
    setExpired(null);
    void navigate({
      to: '/auth',
      search: { ...search, tab: tab === opens ? undefined : tab },
      replace: true,
    });
  };
  return (
    <Card className="w-full max-w-[26rem] p-6">
      <TabGroup value={chosen} onValueChange={choose} className="flex flex-col gap-6">
        <TabBar aria-label="Login or register">
          <Tab value="login">Login</Tab>
          <Tab value="register">Register</Tab>
        </TabBar>
        <FirstAdminCallout way={way} hasLink={search.setup !== undefined} />
        <TabPanel value="login" tabIndex={-1} className="outline-none">
          {expired === null && provider !== null && <ProviderButton name={provider} />}
          {expired === null ? (
            <LoginForm onNewPasswordWanted={setExpired} />
          ) : (
            <NewPasswordForm login={expired} onBack={() => setExpired(null)} />
          )}
        </TabPanel>
        <TabPanel value="register" tabIndex={-1} className="outline-none">
          {waiting === null ? (
            <RegisterForm setupToken={setupToken} onWaiting={setWaiting} />
          ) : (
            <WaitingPanel registered={waiting} onLogin={() => choose('login')} />
          )}
        </TabPanel>
      </TabGroup>
    </Card>
  );
}
