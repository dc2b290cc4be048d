import { Link } from '@tanstack/react-router';
import { LogOut, type LucideIcon, Moon, RefreshCw, Sun } from 'lucide-react';
import type { SessionUser } from '#contract/session.ts';
import { classNames } from '#web/lib/class-names.ts';
import { Button } from '#web/ui/button.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { useClearCache, useLogout } from './account-actions.ts';
import { RecentActions } from './recent-actions.tsx';
import { toggleTheme, useTheme } from './theme.ts';

/** `onFollow`: on a phone, where a link closes the sheet and the theme is switched here. */
type SidebarAccountProps = {
  user: SessionUser;
  isExpanded: boolean;
  onFollow?: (() => void) | undefined;
};

/** The foot of the sidebar: the user, the link to the account, Logout, and the release. */
export function SidebarAccount({ user, isExpanded, onFollow }: SidebarAccountProps): React.JSX.Element {
  const logout = useLogout();
  const clearCache = useClearCache();
  return (
    <div className="flex flex-col gap-px p-2 max-md:p-1.5">
      {onFollow !== undefined && (
        <div className="flex items-center justify-between pr-1">
          <ThemeAction />
          <RecentActions />
        </div>
      )}
      <AccountLink user={user} isExpanded={isExpanded} onFollow={onFollow} />
      <div className={classNames('flex', isExpanded ? 'items-center' : 'flex-col')}>
        <Action icon={RefreshCw} label="Clear Cache & Reload" isExpanded={isExpanded} onClick={clearCache} />
        <Action
          icon={LogOut}
          label="Logout"
          isExpanded={isExpanded}
          onClick={() => logout.mutate()}
          disabled={logout.isPending}
        />
        <p className={classNames('ml-auto pr-1.5 text-xs text-fg-muted', !isExpanded && 'sr-only')}>
          v{__APP_VERSION__}
        </p>
      </div>
    </div>
  );
}

/** The user, as the link to the account. */
function AccountLink({ user, isExpanded, onFollow }: SidebarAccountProps): React.JSX.Element {
  const isAdmin = user.role === 'admin';
  const label = 'Account & security';
  return (
    <Tip text={`${label}: ${user.username}`} side="right" enabled={!isExpanded}>
      <Link
        to="/account"
        onClick={onFollow}
        className={classNames(
          'flex items-center gap-2.5 rounded-md text-fg-muted hover:bg-fill data-[status=active]:bg-surface data-[status=active]:text-fg dark:data-[status=active]:bg-fill print:hidden',
          isExpanded ? 'min-h-13 px-2' : 'min-h-11 justify-center',
        )}
      >
        <span
          aria-hidden
          className="grid size-6.5 shrink-0 place-items-center rounded-full bg-primary text-sm font-semibold text-primary-fg uppercase"
        >
          {user.username.slice(0, 1)}
        </span>
        <span className={classNames('min-w-0', !isExpanded && 'sr-only')}>
          <span className="block truncate font-medium text-fg">{user.username}</span>
          <span className="block truncate text-sm">
            {isAdmin && (
              <>
                <span>Admin</span>
                <span> · </span>
              </>
            )}
            {label}
          </span>
        </span>
      </Link>
    </Tip>
  );
}

/** On a phone, where the header has no room for it. */
function ThemeAction(): React.JSX.Element {
  const isDark = useTheme() === 'dark';
  return (
    <Action
      icon={isDark ? Sun : Moon}
      label={isDark ? 'Switch to light theme' : 'Switch to dark theme'}
      isExpanded
      hasIcon
      onClick={toggleTheme}
    />
  );
}

type ActionProps = {
  icon: LucideIcon;
  label: string;
  isExpanded: boolean;
  /** Shows the icon next to the label too. */
  hasIcon?: boolean;
  disabled?: boolean;
  onClick: () => void;
};

function Action(props: ActionProps): React.JSX.Element {
  const { icon: Icon, label, isExpanded, hasIcon = false, onClick, disabled } = props;
  return (
    <Tip text={label} side="right" enabled={!isExpanded}>
      <Button
        look="quiet"
        className={classNames(
          'h-11 justify-start font-normal dense:h-7',
          isExpanded ? 'px-1.5 text-sm' : 'justify-center px-0',
        )}
        onClick={onClick}
        disabled={disabled}
      >
        {(!isExpanded || hasIcon) && <Icon aria-hidden />}
        <span className={classNames(!isExpanded && 'sr-only')}>{label}</span>
      </Button>
    </Tip>
  );
}
