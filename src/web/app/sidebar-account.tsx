import { Link } from '@tanstack/react-router';
import { LogOut, type LucideIcon, Moon, RefreshCw, Shield, Sun, UserRoundCog } from 'lucide-react';
import type { SessionUser } from '#contract/session.ts';
import { classNames } from '#web/lib/class-names.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { useClearCache, useLogout } from './account-actions.ts';
import { toggleTheme, useTheme } from './theme.ts';

type WhoProps = { user: SessionUser; isExpanded: boolean };
/** `onFollow`: on a phone, where a link closes the sheet and the theme is switched here. */
type SidebarAccountProps = WhoProps & { onFollow?: (() => void) | undefined };

/** The foot of the sidebar: the user, the link to the account, Logout, and the release. */
export function SidebarAccount({ user, isExpanded, onFollow }: SidebarAccountProps): React.JSX.Element {
  const logout = useLogout();
  const clearCache = useClearCache();
  return (
    <div className="flex flex-col gap-0.5 border-t p-1.5">
      <WhoIsIn user={user} isExpanded={isExpanded} />
      <AccountLink isExpanded={isExpanded} onFollow={onFollow} />
      {onFollow !== undefined && <ThemeAction />}
      <Action icon={RefreshCw} label="Clear Cache & Reload" isExpanded={isExpanded} onClick={clearCache} />
      <Action
        icon={LogOut}
        label="Logout"
        isExpanded={isExpanded}
        onClick={() => logout.mutate()}
        disabled={logout.isPending}
      />
      <p className={classNames('px-2.5 pt-1 pb-0.5 text-xs text-fg-muted', !isExpanded && 'sr-only')}>
        v{__APP_VERSION__}
      </p>
    </div>
  );
}

function WhoIsIn({ user, isExpanded }: WhoProps): React.JSX.Element {
  const isAdmin = user.role === 'admin';
  return (
    <Tip text={isAdmin ? `${user.username} (Admin)` : user.username} side="right">
      <div className="flex min-h-11 items-center gap-2.5 rounded-md px-1">
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-md border bg-surface text-sm font-semibold uppercase"
        >
          {user.username.slice(0, 1)}
        </span>
        <span
          className={classNames('flex min-w-0 flex-1 flex-col items-start gap-0.5', !isExpanded && 'sr-only')}
        >
          <span className="w-full truncate">{user.username}</span>
          {isAdmin && (
            <Badge tone="info" icon={Shield}>
              Admin
            </Badge>
          )}
        </span>
      </div>
    </Tip>
  );
}

type AccountLinkProps = Pick<SidebarAccountProps, 'isExpanded' | 'onFollow'>;

function AccountLink({ isExpanded, onFollow }: AccountLinkProps): React.JSX.Element {
  const label = 'Account & security';
  return (
    <Tip text={label} side="right" enabled={!isExpanded}>
      <Link
        to="/account"
        onClick={onFollow}
        className="flex h-11 items-center gap-2 rounded-md px-2.5 text-fg-muted hover:bg-selected hover:text-fg data-[status=active]:bg-selected data-[status=active]:font-semibold data-[status=active]:text-fg dense:h-9 print:hidden"
      >
        <UserRoundCog aria-hidden className="size-4 shrink-0" />
        <span className={classNames('truncate', !isExpanded && 'sr-only')}>{label}</span>
      </Link>
    </Tip>
  );
}

/** On a phone, where the header bar has no room for it. */
function ThemeAction(): React.JSX.Element {
  const isDark = useTheme() === 'dark';
  return (
    <Action
      icon={isDark ? Sun : Moon}
      label={isDark ? 'Switch to light theme' : 'Switch to dark theme'}
      isExpanded
      onClick={toggleTheme}
    />
  );
}

type ActionProps = {
  icon: LucideIcon;
  label: string;
  isExpanded: boolean;
  disabled?: boolean;
  onClick: () => void;
};

function Action({ icon: Icon, label, isExpanded, onClick, disabled }: ActionProps): React.JSX.Element {
  return (
    <Tip text={label} side="right" enabled={!isExpanded}>
      <Button
        look="quiet"
        className="h-11 justify-start px-2.5 font-normal hover:bg-selected dense:h-9"
        onClick={onClick}
        disabled={disabled}
      >
        <Icon aria-hidden />
        <span className={classNames(!isExpanded && 'sr-only')}>{label}</span>
      </Button>
    </Tip>
  );
}
