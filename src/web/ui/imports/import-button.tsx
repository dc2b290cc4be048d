import { Link } from '@tanstack/react-router';
import type { Import } from '#contract/imports.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import type { FileImport } from './use-file-import.ts';

type ImportButtonProps = {
  of: FileImport;
  /** Filled, unless the page has another action that comes first. */
  look?: 'primary' | 'outline';
  disabled?: boolean;
  onImport: () => void;
  children: string;
};

/** The next step of a file: import it, or answer on its page what is asked first. */
export function ImportButton({
  of,
  look = 'primary',
  disabled,
  onImport,
  children,
}: ImportButtonProps): React.JSX.Element {
  const { imported, isPending, isStarting } = of;
  const style = { look } as const;
  const question = imported === undefined ? null : questionOf(imported);
  if (imported !== undefined && question !== null) {
    return (
      <Link
        to="/imports/$id"
        params={{ id: imported.id }}
        search={{ step: question.step }}
        className={buttonClasses(style)}
      >
        {question.text}
      </Link>
    );
  }
  const isChecking = imported?.state === 'checking' || imported?.state === 'uploaded';
  const isImporting = isStarting || imported?.state === 'importing';
  return (
    <Button
      {...style}
      onClick={onImport}
      pending={isPending || isImporting || isChecking}
      pendingText={isChecking ? 'Checking...' : isImporting ? 'Importing...' : 'Uploading...'}
      disabled={disabled}
    >
      {children}
    </Button>
  );
}

/** What is answered on the page of the import before the file can be checked or imported. */
function questionOf({
  state,
  missingColumns,
  guessed,
  questions,
  effect,
}: Import): { step: 'columns' | 'check'; text: string } | null {
  if (state !== 'uploaded' && state !== 'checked') return null;
  if (missingColumns.length + guessed.length + questions.length > 0) {
    return { step: 'columns', text: 'Choose columns' };
  }
  return (effect?.jumpCount ?? 0) > 0 ? { step: 'check', text: 'Review large changes' } : null;
}
