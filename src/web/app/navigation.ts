import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import {
  Banknote,
  Boxes,
  Calculator,
  FileUp,
  History,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Package,
  RefreshCw,
  Scale,
  ScrollText,
  Settings,
  Tags,
  Truck,
  Users,
} from 'lucide-react';
import type { SessionUser } from '#contract/session.ts';
import { loadAnswered } from '#web/lib/connection.ts';

/** A screen behind the login page. Only the screens listed here are routed and guarded. */
export interface Screen {
  /** May have parameters: "/imports/$id". */
  readonly path: string;
  readonly label: string;
  /** Absent for screens that other screens link to: routed and guarded, but not in the sidebar. */
  readonly icon?: LucideIcon;
  /** The path of the screen it belongs to: that one is the current entry of the sidebar, and linked above its title. */
  readonly under?: string;
  /** `admin` screens are in the group Administration and show Access Denied to other users. */
  readonly access: 'user' | 'admin';
  readonly component: RouteComponent;
}

/** A screen in the sidebar. */
export type ListedScreen = Screen & { readonly icon: LucideIcon };

/** The screens in the sidebar. */
export function listedScreens(screens: readonly Screen[]): readonly ListedScreen[] {
  return screens.filter((screen): screen is ListedScreen => screen.icon !== undefined);
}

/** The screens this user may open. */
export function openScreens(screens: readonly Screen[], role: SessionUser['role']): readonly Screen[] {
  return screens.filter(({ access }) => access === 'user' || role === 'admin');
}

/** The screens in sidebar order; those without an icon are not in the sidebar. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    label: 'Dashboard',
    icon: LayoutDashboard,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/dashboard/dashboard-page.tsx')),
      'DashboardPage',
    ),
  },
  {
    path: '/listings',
    label: 'Listings',
    icon: Tags,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/listings/listings-page.tsx')),
      'ListingsPage',
    ),
  },
  {
    path: '/skus',
    label: 'SKUs',
    icon: Package,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/skus/skus-page.tsx')),
      'SkusPage',
    ),
  },
  {
    path: '/bundles',
    label: 'Bundles',
    icon: Boxes,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/bundles/bundles-page.tsx')),
      'BundlesPage',
    ),
  },
  {
    path: '/rules',
    label: 'Rules',
    icon: Scale,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/rules/rules-page.tsx')),
      'RulesPage',
    ),
  },
  {
    path: '/rules/new',
    label: 'Create Rule',
    under: '/rules',
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/rules/rule-page.tsx')),
      'NewRulePage',
    ),
  },
  {
    path: '/rules/$id',
    label: 'Rule',
    under: '/rules',
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/rules/rule-page.tsx')),
      'EditRulePage',
    ),
  },
  {
    path: '/shipping-tiers',
    label: 'Shipping Tiers',
    icon: Truck,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/shipping-tiers/shipping-tiers-page.tsx')),
      'ShippingTiersPage',
    ),
  },
  {
    path: '/history',
    label: 'History',
    icon: History,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/history/history-page.tsx')),
      'HistoryPage',
    ),
  },
  {
    path: '/profit',
    label: 'Profit',
    icon: Banknote,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/profit/profit-page.tsx')),
      'ProfitPage',
    ),
  },
  {
    path: '/money',
    label: 'Money',
    under: '/profit',
    access: 'admin',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/money/money-page.tsx')),
      'MoneyPage',
    ),
  },
  {
    path: '/listings/$id/why',
    label: 'Why this price',
    access: 'user',
    under: '/listings',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/price-explanation/why-pages.tsx')),
      'WhyNowPage',
    ),
  },
  {
    path: '/listings/$id/recommendation',
    label: 'Why this price',
    access: 'user',
    under: '/listings',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/price-explanation/why-pages.tsx')),
      'WhyRecommendedPage',
    ),
  },
  {
    path: '/runs/$id/why/$listingId',
    label: 'Why this price',
    access: 'user',
    under: '/runs',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/price-explanation/why-pages.tsx')),
      'WhyRunPage',
    ),
  },
  {
    path: '/history/$listingId/$id/why',
    label: 'Why this price',
    access: 'user',
    under: '/history',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/price-explanation/why-pages.tsx')),
      'WhyHistoryPage',
    ),
  },
  {
    path: '/runs',
    label: 'Runs',
    icon: RefreshCw,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/repricing/runs-page.tsx')),
      'RunsPage',
    ),
  },
  {
    path: '/imports',
    label: 'Imports',
    icon: FileUp,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/imports/imports-page.tsx')),
      'ImportsPage',
    ),
  },
  {
    path: '/imports/new',
    label: 'Import a file',
    access: 'user',
    under: '/imports',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/imports/new-import-page.tsx')),
      'NewImportPage',
    ),
  },
  {
    path: '/imports/$id',
    label: 'Import',
    access: 'user',
    under: '/imports',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/imports/import-page.tsx')),
      'ImportPage',
    ),
  },
  {
    path: '/jobs',
    label: 'Jobs',
    icon: ListChecks,
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/jobs/jobs-page.tsx')),
      'JobsPage',
    ),
  },
  {
    path: '/runs/$id',
    label: 'Run',
    access: 'user',
    under: '/runs',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/repricing/run-page.tsx')),
      'RunPage',
    ),
  },
  {
    path: '/jobs/$id',
    label: 'Job',
    access: 'user',
    under: '/jobs',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/jobs/job-page.tsx')),
      'JobPage',
    ),
  },
  {
    path: '/account',
    label: 'Account & security',
    access: 'user',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/account/account-page.tsx')),
      'AccountPage',
    ),
  },
  {
    path: '/connect/$marketplace',
    label: 'Connect',
    access: 'admin',
    component: lazyRouteComponent(() => import('#web/features/settings/connect-page.tsx'), 'ConnectPage'),
  },
  {
    path: '/costs',
    label: 'Costs',
    icon: Calculator,
    access: 'admin',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/costs/costs-page.tsx')),
      'CostsPage',
    ),
  },
  {
    path: '/users',
    label: 'Users',
    icon: Users,
    access: 'admin',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/users/users-page.tsx')),
      'UsersPage',
    ),
  },
  {
    path: '/audit',
    label: 'Audit log',
    icon: ScrollText,
    access: 'admin',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/audit/audit-page.tsx')),
      'AuditPage',
    ),
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: Settings,
    access: 'admin',
    component: lazyRouteComponent(
      () => loadAnswered(() => import('#web/features/settings/settings-page.tsx')),
      'SettingsPage',
    ),
  },
];
