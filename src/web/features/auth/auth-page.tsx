import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { LoginPayload, Registered } from '#contract/session.ts';
import { BrandMark } from '#web/ui/brand.tsx';
import { Card } from '#web/ui/card.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { FeatureList } from './feature-list.tsx';
import { LoginForm } from './login-form.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { PriceLadder } from './price-ladder.tsx';
import { RegisterForm } from './register-form.tsx';
import { WaitingPanel } from './waiting-panel.tsx';

/** Who we are and what for, beside the way in. On a phone the way in comes first. */
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
        <AuthCard />
        <div className="mt-10 w-full max-w-[26rem] lg:hidden">
          <FeatureList />
        </div>
      </div>
    </main>
  );
}

/** The tab is in the address; `setup` is the token of the first start's one-time link. */
function AuthCard(): React.JSX.Element {
  const search: { tab?: string; setup?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [waiting, setWaiting] = useState<Registered | null>(null);
  const [expired, setExpired] = useState<LoginPayload | null>(null);
  const opens = search.setup === undefined ? 'login' : 'register';
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
        <TabPanel value="login" tabIndex={-1} className="outline-none">
          {expired === null ? (
            <LoginForm onNewPasswordWanted={setExpired} />
          ) : (
            <NewPasswordForm login={expired} onBack={() => setExpired(null)} />
          )}
        </TabPanel>
        <TabPanel value="register" tabIndex={-1} className="outline-none">
          {waiting === null ? (
            <RegisterForm setupToken={search.setup} onWaiting={setWaiting} />
          ) : (
            <WaitingPanel registered={waiting} onLogin={() => choose('login')} />
          )}
        </TabPanel>
      </TabGroup>
    </Card>
  );
}
