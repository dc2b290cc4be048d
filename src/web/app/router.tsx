import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { PROVIDER_RETURN_PATH } from '#contract/identity-provider.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { CONFIRM_PATH } from '#web/lib/provider-login.ts';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { CrashPage } from './crash-page.tsx';
import { AdminGate, GuestGate, SessionGate } from './guards.tsx';
import { SCREENS, type Screen } from './navigation.ts';
import { RootLayout } from './root-layout.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The document's title and the last part of the breadcrumb. */
    title?: string;
    /** The screen that the page belongs to. */
    under?: { readonly path: string; readonly label: string };
  }
}

const NotFound = lazyPart(async () => (await import('./not-found-page.tsx')).NotFoundPage);

/**
 * Routes: /auth for guests, /verify-email, /reset-password and those of the identity provider for all, screens behind the session, admin screens, 404 for the rest.
 * @param history default: the browser's address bar
 */
export function createAppRouter(screens: readonly Screen[] = SCREENS, history?: RouterHistory) {
  return createRouter({
    routeTree: buildRoutes(screens),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingComponent: () => <PageSpinner label="Loading the page" />,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
    ...(history === undefined ? {} : { history }),
  });
}

function buildRoutes(screens: readonly Screen[]) {
  const root = createRootRoute({
    component: RootLayout,
    notFoundComponent: () => (
      <Suspense fallback={<PageSpinner label="Loading the page" />}>
        <NotFound.Part screens={screens} />
      </Suspense>
    ),
  });
  const guests = createRoute({ getParentRoute: () => root, id: 'guests', component: GuestGate });
  const auth = createRoute({
    getParentRoute: () => guests,
    path: '/auth',
    staticData: { title: 'Log in' },
    component: lazyRouteComponent(() => import('#web/features/auth/auth-page.tsx'), 'AuthPage'),
  });
  const verify = createRoute({
    getParentRoute: () => root,
    path: '/verify-email',
    staticData: { title: 'Verify your email address' },
    component: lazyRouteComponent(() => import('#web/features/auth/verify-page.tsx'), 'VerifyPage'),
  });
  const resetPassword = createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    staticData: { title: 'Choose a new password' },
    component: lazyRouteComponent(
      () => import('#web/features/auth/reset-password-page.tsx'),
      'ResetPasswordPage',
    ),
  });
  const providerReturn = createRoute({
    getParentRoute: () => root,
    path: PROVIDER_RETURN_PATH,
    staticData: { title: 'Log in' },
    component: lazyRouteComponent(
      () => import('#web/features/auth/provider-return-page.tsx'),
      'ProviderReturnPage',
    ),
  });
  const providerConfirm = createRoute({
    getParentRoute: () => root,
    path: CONFIRM_PATH,
    staticData: { title: 'Confirm your login' },
    component: lazyRouteComponent(
      () => import('#web/features/auth/provider-return-page.tsx'),
      'ProviderConfirmPage',
    ),
  });
  const session = createRoute({
    getParentRoute: () => root,
    id: 'session',
    component: () => <SessionGate screens={screens} />,
  });
  const admin = createRoute({ getParentRoute: () => session, id: 'admin', component: AdminGate });
  const screenRoutes = (access: Screen['access'], parent: typeof session | typeof admin) =>
    screens
      .filter((screen) => screen.access === access)
      .map(({ path, label, component, under: of }) => {
        const under = screens.find((screen) => screen.path === of);
        const staticData = { title: label, ...(of !== undefined && under !== undefined && { under }) };
        return createRoute({ getParentRoute: () => parent, path, staticData, component });
      });
  // A constant of the build: without it the page is not part of the bundle.
  const development = import.meta.env.DEV
    ? [
        createRoute({
          getParentRoute: () => root,
          path: '/dev/components',
          staticData: { title: 'Components' },
          component: lazyRouteComponent(
            () => import('#web/features/components/components-page.tsx'),
            'ComponentsPage',
          ),
        }),
      ]
    : [];
  return root.addChildren([
    guests.addChildren([auth]),
    verify,
    resetPassword,
    providerReturn,
    providerConfirm,
    ...development,
    session.addChildren([...screenRoutes('user', session), admin.addChildren(screenRoutes('admin', admin))]),
  ]);
}
