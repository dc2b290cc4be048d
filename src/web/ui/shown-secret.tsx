import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { announce } from '#web/lib/announce.ts';
import { copyText } from '#web/lib/copy-text.ts';
import { Button } from './button.tsx';

type ShownSecretProps = {
  /** What it is, as a subject: API token. */
  name: string;
  secret: string;
};

/**
 * A new secret that is shown only now. It takes the focus once it is on the screen: it belongs inside of a dialog that
 * is already open.
 */
export function ShownSecret({ name, secret }: ShownSecretProps): React.JSX.Element {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => {
    announce(`${name} created. Copy it now.`);
    shown.current?.focus();
  }, [name]);
  return (
    <>
      <code
        ref={shown}
        tabIndex={-1}
        className="rounded-lg border bg-hover p-4 font-mono wrap-anywhere outline-none"
      >
        {secret}
      </code>
      <div>
        <Button look="outline" onClick={() => void copyText(secret, name, shown.current)}>
          <Copy aria-hidden />
          Copy
        </Button>
      </div>
    </>
  );
}
