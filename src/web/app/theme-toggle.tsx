import { Moon, Sun } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toggleTheme, useTheme } from './theme.ts';

/** Switches light and dark. */
export function ThemeToggle(): React.JSX.Element {
  const isDark = useTheme() === 'dark';
  return (
    <IconButton name={isDark ? 'Switch to light theme' : 'Switch to dark theme'} onClick={toggleTheme}>
      {isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  );
}
