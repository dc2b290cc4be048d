import { ArrowRight, Boxes, CornerDownRight } from 'lucide-react';
import type { ListingHit, SearchAnswer, SkuHit } from '#contract/search.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { goKey } from '#web/app/go-keys.ts';
import type { Screen } from '#web/app/navigation.ts';
import { formatCount, formatMoney } from '#web/lib/format.ts';
import type { KeyDefinition } from '#web/lib/keys.ts';
import { queryText } from '#web/lib/list-state.ts';
import { useKeyText } from '#web/lib/shortcuts.ts';
import type { CommandGroup, CommandItem } from '#web/ui/command-menu.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import type { PaletteAction } from './actions.ts';

/** Closes the palette, then runs. */
export type Choose = (run: () => void) => () => void;
/** Closes the palette and goes to an address. */
type Go = (to: string) => () => void;

/** Search results from the server, of the kinds whose screen the user may open, with "View all" if there are more. */
export function hitGroups(
  found: SearchAnswer | undefined,
  screens: readonly Screen[],
  text: string,
  go: Go,
): readonly CommandGroup[] {
  if (found === undefined) return [];
  const has = (path: string): boolean => screens.some((screen) => screen.path === path);
  const { listings, skus } = found;
  return [
    {
      heading: 'Listings',
      items: has('/listings')
        ? [
            ...listings.rows.map((hit) => listingItem(hit, go)),
            ...moreItem('/listings', 'listings', listings, text, go),
          ]
        : [],
    },
    {
      heading: 'SKUs',
      items: has('/skus')
        ? [...skus.rows.map((hit) => skuItem(hit, go)), ...moreItem('/skus', 'SKUs', skus, text, go)]
        : [],
    },
  ];
}

/** The screens whose name contains the text. */
export function screensGroup(screens: readonly Screen[], text: string, go: Go): CommandGroup {
  const items = screens
    // An action already leads to the import.
    .filter(({ path, label }) => !path.includes('$') && path !== '/imports/new' && matches(label, text))
    .map((screen) => ({
      id: `screen ${screen.path}`,
      label: `Go to ${screen.label}`,
      content: <Line icon={ArrowRight} text={screen.label} shortcut={goKey(screen) ?? undefined} />,
      onChoose: go(screen.path),
    }));
  return { heading: 'Go to', items };
}

/** The actions whose name or synonym contains the text. */
export function actionsGroup(actions: readonly PaletteAction[], text: string, choose: Choose): CommandGroup {
  const items = actions
    .filter(({ label, words }) => matches(`${label} ${words}`, text))
    .map(({ label, icon, shortcut, run }) => ({
      id: `action ${label}`,
      label,
      content: <Line icon={icon} text={label} shortcut={shortcut} />,
      onChoose: choose(run),
    }));
  return { heading: 'Actions', items };
}

function listingItem({ id, marketplace, sku, title, currentPrice }: ListingHit, go: Go): CommandItem {
  const price = formatMoney(currentPrice);
  return {
    id: `listing ${id}`,
    label: `${sku}, ${title}, ${MARKETPLACE_NAMES[marketplace]}, ${price}`,
    content: (
      <>
        <MarketplaceMark marketplace={marketplace} />
        <Named code={sku} name={title} />
        <span className="shrink-0 text-sm text-fg-muted">{MARKETPLACE_NAMES[marketplace]}</span>
        <span className="w-20 shrink-0 text-right tabular-nums">{price}</span>
      </>
    ),
    onChoose: go(`/listings/${id}/why`),
  };
}

function skuItem({ id, sku, name }: SkuHit, go: Go): CommandItem {
  return {
    id: `sku ${id}`,
    label: `${sku}, ${name}`,
    content: (
      <>
        <Boxes aria-hidden className="text-fg-muted" />
        <Named code={sku} name={name} />
      </>
    ),
    onChoose: go(`/skus${queryText({ q: sku })}`),
  };
}

type Found = SearchAnswer['listings'] | SearchAnswer['skus'];

function moreItem(
  path: string,
  noun: string,
  { rows, total, isTotalExact }: Found,
  text: string,
  go: Go,
): CommandItem[] {
  if (total <= rows.length) return [];
  const label = `View all ${isTotalExact ? '' : 'about '}${formatCount(total)} ${noun}`;
  return [
    {
      id: `more ${path}`,
      label,
      content: <Line icon={CornerDownRight} text={label} />,
      onChoose: go(`${path}${queryText({ q: text })}`),
    },
  ];
}

function Named({ code, name }: { code: string; name: string }): React.JSX.Element {
  return (
    <span className="flex min-w-0 flex-1 flex-col md:flex-row md:items-baseline md:gap-2.5">
      <span className="max-w-full truncate font-mono text-sm md:max-w-[50%] md:shrink-0">{code}</span>
      <span className="truncate text-fg-muted">{name}</span>
    </span>
  );
}

type LineProps = { icon: PaletteAction['icon']; text: string; shortcut?: KeyDefinition | undefined };

function Line({ icon: Icon, text, shortcut }: LineProps): React.JSX.Element {
  return (
    <>
      <Icon aria-hidden className="text-fg-muted" />
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {shortcut !== undefined && <KeyHint shortcut={shortcut} />}
    </>
  );
}

function KeyHint({ shortcut }: { shortcut: KeyDefinition }): React.JSX.Element | null {
  const keyText = useKeyText(shortcut);
  return keyText === null ? null : (
    <kbd className="hidden shrink-0 rounded-sm border bg-hover px-1.5 font-mono text-xs text-fg-muted md:block">
      {keyText}
    </kbd>
  );
}

/** Whether every word of the text starts a word of the line, in any order. */
function matches(line: string, text: string): boolean {
  const words = line.toLowerCase().split(/\W+/);
  return (
    text
      .toLowerCase()
      .split(/\s+/)
      // Screen names contain "&", which is not a word.
      .filter((part) => part !== '&')
      .every((part) => words.some((word) => word.startsWith(part)))
  );
}
