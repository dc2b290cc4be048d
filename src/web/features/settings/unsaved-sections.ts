import { useCallback, useEffect, useState } from 'react';
import type { SectionId } from './sections.ts';

/** A section with a save of its own reports whether it has unsaved changes. */
export type ReportUnsaved = (section: SectionId, isUnsaved: boolean) => void;

/** The sections that reported unsaved changes. */
export function useReportedSections(): readonly [ReadonlySet<SectionId>, ReportUnsaved] {
  const [sections, setSections] = useState<ReadonlySet<SectionId>>(new Set());
  const report = useCallback<ReportUnsaved>((section, isUnsaved) => {
    setSections((before) => {
      if (before.has(section) === isUnsaved) return before;
      const others = [...before].filter((each) => each !== section);
      return new Set(isUnsaved ? [...others, section] : others);
    });
  }, []);
  return [sections, report];
}

/** Reports a section's state while it is on screen. */
export function useReportUnsaved(report: ReportUnsaved, section: SectionId, isUnsaved: boolean): void {
  useEffect(() => {
    report(section, isUnsaved);
    return () => report(section, false);
  }, [report, section, isUnsaved]);
}
