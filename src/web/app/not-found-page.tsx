import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { useState } from 'react';
import { sessionQuery } from '#web/lib/session.ts';
import { BrandMark } from '#web/ui/brand.tsx';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { StatusPage } from '#web/ui/status-page.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { listedScreens, type Screen } from './navigation.ts';
import { ThemeToggle } from './theme-toggle.tsx';

/** Shown at any unknown address. The page is public, so it links only to what the reader may open. */
export function NotFoundPage({ screens }: { screens: readonly Screen[] }): React.JSX.Element {
  const session = useQuery(sessionQuery);
  const path = useLocation({ select: (location) => location.pathname });
  const role = session.data?.role;
  const links = listedScreens(screens).filter(
    (screen) => role === 'admin' || (role === 'user' && screen.access === 'user'),
  );
  return (
    <div className="flex min-h-dvh flex-col p-4">
      <header className="flex items-center justify-between">
        <Link to="/" className="flex items-center gap-2 rounded-md font-semibold">
          <BrandMark className="size-7" />
          Pricewright
        </Link>
        <ThemeToggle />
      </header>
      <main id="main" className="flex flex-1 flex-col">
        <StatusPage icon={MapPinOff}>
          <PageHeading title="404: Page not found" />
          <p className="text-balance text-fg-muted">
            There is no page at <code className="font-mono text-sm wrap-anywhere text-fg">{path}</code>. Check
            the address, or choose a page below.
          </p>
          {/* Shown once the session is known, so that the links do not change under the reader. */}
          {!session.isPending && (
            <>
              {role !== undefined && <ListingSearch />}
              <nav aria-label="Pages" className="flex flex-wrap justify-center gap-2">
                {links.map((screen) => (
                  <Link
                    key={screen.path}
                    to={screen.path}
                    className={buttonClasses({ look: screen.path === '/' ? 'primary' : 'outline' })}
                  >
                    Go to {screen.label}
                  </Link>
                ))}
                {links.length === 0 && (
                  <Link to="/auth" className={buttonClasses()}>
                    Go to Login
                  </Link>
                )}
              </nav>
            </>
          )}
        </StatusPage>
      </main>
    </div>
  );
}

/** Searches by name, for readers with a wrong address. */
function ListingSearch(): React.JSX.Element {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    void navigate({ to: '/listings', search: text.trim() === '' ? {} : { q: text.trim() } });
  };
  return (
    <form onSubmit={submit} aria-label="Search" className="flex w-full items-end gap-2">
      <TextField
        label="Search listings by SKU or title"
        fieldClassName="flex-1 text-left"
        type="search"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" look="outline" size="field">
        Search
      </Button>
    </form>
  );
}
