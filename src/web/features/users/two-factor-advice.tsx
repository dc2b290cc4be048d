import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { SessionUser } from '#contract/session.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { adviceKey, readStored, writeStored } from '#web/lib/storage.ts';
import { Button } from '#web/ui/button.tsx';
import { touchTarget } from '#web/ui/control-classes.ts';

/** One line for administrators without a second factor, until they set one up or dismiss it. */
export function TwoFactorAdvice(): React.JSX.Element | null {
  const me = useQuery(sessionQuery).data;
  return me == null || me.role !== 'admin' || me.twoFactorEnabled ? null : <Advice key={me.id} me={me} />;
}

function Advice({ me }: { me: SessionUser }): React.JSX.Element | null {
  const [isRead, setRead] = useState(() => readStored(adviceKey(me.id)) !== null);
  if (isRead) return null;
  const dismiss = (): void => {
    writeStored(adviceKey(me.id), 'read');
    setRead(true);
  };
  return (
    <section
      aria-label="Advice"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border bg-surface px-4 py-2"
    >
      <ShieldCheck aria-hidden className="size-5 shrink-0 text-info-text" />
      <p className="min-w-0 flex-1 basis-60">
        Your account has no second factor. With one, a stolen password is not enough to log in.{' '}
        <Link to="/account" className={`text-link underline underline-offset-2 ${touchTarget}`}>
          Set up two-factor authentication
        </Link>
      </p>
      <Button look="outline" onClick={dismiss}>
        Not now
      </Button>
    </section>
  );
}
