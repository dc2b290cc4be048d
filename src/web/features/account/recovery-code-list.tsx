import { useBlocker } from '@tanstack/react-router';
import { CircleAlert, Copy, Download, Printer } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { announce } from '#web/lib/announce.ts';
import { downloadText } from '#web/lib/download.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { copyText } from './copy-text.ts';

const FILE = 'pricewright-recovery-codes.txt';

type RecoveryCodeListProps = {
  codes: readonly string[];
  /** Of the step, for whoever does not see it come. */
  title: string;
  isSaved: boolean;
  /** Somebody wanted to leave without. */
  isReminded: boolean;
  onSaved: (isSaved: boolean) => void;
};

/** The codes, three ways to keep them, and the box that says so. The page is not left before that either. */
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

/** What comes out of the printer while the codes are in view: they alone, and not the page behind them. */
function OnPaper({ codes }: { codes: readonly string[] }): React.ReactPortal {
  const id = useId();
  return createPortal(
    <section data-print-alone aria-labelledby={id} className="hidden print:block">
      <h2 id={id} className="text-lg font-semibold">
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
