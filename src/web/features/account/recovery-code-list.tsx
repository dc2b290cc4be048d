import { useBlocker } from '@tanstack/react-router';
import { CircleAlert, Copy, Download, Printer } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { announce } from '#web/lib/announce.ts';
import { copyText } from '#web/lib/copy-text.ts';
import { downloadText } from '#web/lib/download.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';

const FILE = 'pricewright-recovery-codes.txt';

type RecoveryCodeListProps = {
  codes: readonly string[];
  /** Name of the step, for screen readers. */
  title: string;
  isSaved: boolean;
  /** Whether the user tried to leave without confirming. */
  isReminded: boolean;
  onSaved: (isSaved: boolean) => void;
};

/** The codes, three ways to save them, and a checkbox to confirm that. The page cannot be left before. */
export function RecoveryCodeList(props: RecoveryCodeListProps): React.JSX.Element {
  const { codes, title, isSaved, isReminded, onSaved } = props;
  const list = useRef<HTMLOListElement>(null);
  const text = codes.join('\n');
  useBlocker({ shouldBlockFn: () => !isSaved, enableBeforeUnload: !isSaved });
  useEffect(() => {
    announce(`${title}. Save your recovery codes.`);
    list.current?.focus();
  }, [title]);
  return (
    <>
      <ol
        ref={list}
        tabIndex={-1}
        aria-label="Recovery codes"
        className="grid gap-x-8 gap-y-1 rounded-lg border bg-hover p-4 font-mono outline-none sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="outline" onClick={() => void copyText(text, 'Recovery codes', list.current)}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button look="outline" onClick={() => downloadText(FILE, 'text/plain', `${text}\n`)}>
          <Download aria-hidden />
          Download
        </Button>
        <Button look="outline" onClick={() => window.print()}>
          <Printer aria-hidden />
          Print
        </Button>
      </div>
      <Checkbox className="mt-4" label="I have saved them" checked={isSaved} onChange={onSaved} />
      {isReminded && (
        <p className="flex items-start gap-1.5 text-sm text-danger-text">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          Save the codes and select this first. They are not shown again.
        </p>
      )}
      <OnPaper codes={codes} />
    </>
  );
}

/** For printing while the codes are shown: the codes alone, without the page behind them. */
function OnPaper({ codes }: { codes: readonly string[] }): React.ReactPortal {
  const id = useId();
  return createPortal(
    <section data-print-alone aria-labelledby={id} className="hidden print:block">
      <h2 id={id} className="text-md font-semibold">
        Pricewright recovery codes for {window.location.host}
      </h2>
      <p>Each works once, instead of the code from your app.</p>
      <ol className="mt-4 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </section>,
    document.body,
  );
}
