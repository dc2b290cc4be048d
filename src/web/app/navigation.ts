import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { LayoutDashboard, type LucideIcon } from 'lucide-react';

/** A screen behind the sign-in. What stands here is routed, guarded and listed in the sidebar; nothing else is. */
export interface Screen {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** `admin` screens stand in the group Administration and answer others with Access Denied. */
  readonly access: 'user' | 'admin';
  readonly component: RouteComponent;
}

/** The screens, in the order of the sidebar. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    label: 'Dashboard',
    icon: LayoutDashboard,
    access: 'user',
    component: lazyRouteComponent(
      () => import('#web/features/dashboard/dashboard-page.tsx'),
      'DashboardPage',
    ),
  },
];
