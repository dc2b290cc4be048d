import { ChevronDown, OctagonX } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Suspense, useState } from 'react';
import type { EngineStatus } from '#contract/engine.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf } from '#web/lib/format.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { useNow } from '#web/ui/moment-text.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { haltedBrief } from './halted-text.tsx';
import { MODE_ICONS, MODE_LABELS, type ModeStatus, modeStatusOf } from './mode-badge.tsx';
import { checkText } from './repricing-progress.tsx';

const List = lazyPart(async () => (await import('./mode-list.tsx')).ModeList);

type ModePillProps = { status: EngineStatus; isAdmin: boolean; isMobile: boolean };

/** The repricing mode of all marketplaces in one line; it opens their list. While halted it is red, in the same place. */
export function ModePill({ status, isAdmin, isMobile }: ModePillProps): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label="Repricing mode"
      align="start"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-112"
      trigger={
        <PillButton isHalted={status.isHalted} onPointerEnter={List.preload} onFocus={List.preload}>
          <span className="sr-only">Repricing mode:</span>{' '}
          {status.isHalted ? (
            <Halted status={status} isMobile={isMobile} />
          ) : isMobile ? (
            <Summary status={status} />
          ) : (
            <Modes status={status} />
          )}
        </PillButton>
      }
    >
      <Suspense fallback={<div className="h-96" />}>
        <List.Part status={status} isAdmin={isAdmin} isMobile={isMobile} onDone={() => setOpen(false)} />
      </Suspense>
    </Popover>
  );
}

/** The button is the target, the pill inside it is what is visible. */
function PillButton({ isHalted, children, ...rest }: ComponentProps<'button'> & { isHalted: boolean }) {
  return (
    <button
      type="button"
      className="group/pill flex h-11 min-w-11 items-center rounded-full whitespace-nowrap dense:h-8"
      {...rest}
    >
      <span
        className={classNames(
          'flex h-9 min-w-0 items-center gap-1 rounded-full border pr-1.5 pl-2.5 font-medium md:gap-2.5 md:pr-2 dense:h-8',
          isHalted
            ? 'border-transparent bg-badge-danger text-badge-danger-fg'
            : 'border-border bg-surface group-hover/pill:border-border-strong',
        )}
      >
        {children}
        <ChevronDown aria-hidden className="size-4 shrink-0 opacity-70" />
      </span>
    </button>
  );
}

function Halted({ status, isMobile }: { status: EngineStatus; isMobile: boolean }): React.JSX.Element {
  const now = useNow();
  const { inProgressCount } = status;
  return (
    <>
      <OctagonX aria-hidden className="size-4 shrink-0" />
      <span className="truncate">
        {isMobile ? 'Halted' : haltedBrief(status, now)}
        {!isMobile &&
          inProgressCount > 0 &&
          `. ${countOf(inProgressCount, 'price', 'prices')} already on the way`}
      </span>
    </>
  );
}

/** Live ones first. */
const ORDER: readonly ModeStatus[] = ['live', 'recommend_only', 'read_only', 'paused'];
const COLORS: Partial<Record<ModeStatus, string>> = {
  live: 'text-success-text',
  paused: 'text-warning-text',
};

/** The marketplaces in use, by their mode. */
function groupsOf({
  marketplaces,
}: EngineStatus): readonly (readonly [ModeStatus, readonly Marketplace[]])[] {
  const used = marketplaces.filter(({ listingCount }) => listingCount > 0);
  return ORDER.flatMap((modeStatus) => {
    const group = used.filter((state) => modeStatusOf(state) === modeStatus);
    return group.length === 0 ? [] : [[modeStatus, group.map(({ marketplace }) => marketplace)] as const];
  });
}

/** Each mode once, with its marketplaces: the live ones by name, the others by their marks. */
function Modes({ status }: { status: EngineStatus }): React.JSX.Element {
  const now = useNow();
  return (
    <>
      {groupsOf(status).map(([modeStatus, group]) => {
        const Icon = MODE_ICONS[modeStatus];
        return (
          <span key={modeStatus} className="flex shrink-0 items-center gap-2">
            <span className={classNames('flex items-center gap-1.5', COLORS[modeStatus] ?? 'text-fg-muted')}>
              <Icon aria-hidden className="size-4" />
              {MODE_LABELS[modeStatus]}
            </span>
            {group.map((marketplace) => (
              <span key={marketplace} className="flex items-center gap-1.5">
                <MarketplaceMark marketplace={marketplace} />
                <span className={modeStatus === 'live' ? 'max-xl:sr-only' : 'sr-only'}>
                  {MARKETPLACE_NAMES[marketplace]}{' '}
                </span>
              </span>
            ))}
          </span>
        );
      })}
      <span className="min-w-0 truncate font-normal text-fg-muted max-xl:hidden">
        {checkText(status, now)}
      </span>
    </>
  );
}

/** "2 live", or "Recommend only": a phone has no room for more. */
function Summary({ status }: { status: EngineStatus }): React.JSX.Element | null {
  const [first] = groupsOf(status);
  if (first === undefined) return null;
  const [modeStatus, group] = first;
  const Icon = MODE_ICONS[modeStatus];
  return (
    <span className={classNames('flex min-w-0 items-center gap-1.5', COLORS[modeStatus] ?? 'text-fg-muted')}>
      {/* The longer names need its room. */}
      {modeStatus === 'live' && <Icon aria-hidden className="size-4 shrink-0" />}
      <span className="truncate">
        {modeStatus === 'live' ? (
          `${group.length} live`
        ) : (
          <>
            <span className="sr-only">{group.length} </span>
            {MODE_LABELS[modeStatus]}
          </>
        )}
      </span>
    </span>
  );
}
