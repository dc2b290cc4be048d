import { useState } from 'react';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { LineList } from './line-list.tsx';
import type { LineCount } from './line-row.tsx';
import { writtenText } from './line-row-model.ts';
import { LinesText } from './lines-text.tsx';

type LinesEditorProps = {
  text: string;
  error: string | undefined;
  counts: readonly LineCount[];
  onChange: (text: string) => void;
};

/** The lines as rows and as text, which are the same lines. */
export function LinesEditor({ text, error, counts, onChange }: LinesEditorProps): React.JSX.Element {
  const isUnderstood = text.trim() === '' || parseLines(text).problem === null;
  const [tab, setTab] = useState<'rows' | 'text'>(isUnderstood ? 'rows' : 'text');
  const [isHeld, setHeld] = useState(false);
  const open = (next: string): void => {
    if (next === 'rows') {
      // Rows would lose what is not understood: the text stays, with its error.
      setHeld(!isUnderstood);
      if (isUnderstood) setTab('rows');
    } else if (next === 'text') {
      const written = writtenText(text);
      if (written !== text) onChange(written);
      setTab('text');
    }
  };
  return (
    <TabGroup value={tab} onValueChange={open} activationMode="manual" className="flex flex-col gap-3">
      <TabBar aria-label="Edit lines as">
        <Tab value="rows">Rows</Tab>
        <Tab value="text">Text</Tab>
      </TabBar>
      {isHeld && !isUnderstood && (
        <p role="alert" className="text-sm font-medium text-warning-text">
          Correct the text first. Rows show only lines that are understood.
        </p>
      )}
      <TabPanel value="rows" className="flex flex-col gap-2">
        <LineList text={text} counts={counts} onChange={onChange} />
        {error !== undefined && <p className="text-sm text-danger-text">{error}</p>}
      </TabPanel>
      <TabPanel value="text">
        <LinesText text={text} error={error} onChange={onChange} />
      </TabPanel>
    </TabGroup>
  );
}
