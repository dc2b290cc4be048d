import { useAnnouncements } from '#web/lib/announce.ts';

/** The page's one polite and one assertive region. */
export function LiveRegions(): React.JSX.Element {
  const { polite, assertive } = useAnnouncements();
  return (
    <div className="sr-only">
      <div aria-live="polite">{polite}</div>
      <div aria-live="assertive">{assertive}</div>
    </div>
  );
}
