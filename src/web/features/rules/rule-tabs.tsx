import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { ListedRule } from '#contract/rules.ts';
import { formatCount } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { useDeleteRules, useSwitchRules } from './queries.ts';
import { precedenceOf } from './rule-conflicts.ts';
import { type RuleChange, RuleImpactDialog } from './rule-impact-dialog.tsx';
import { RuleRow } from './rule-row.tsx';
import { RulesBulkBar } from './rules-bulk-bar.tsx';

const TABS = {
  all: { label: 'All Rules', shows: () => true, empty: 'No rules yet.' },
  active: {
    label: 'Active',
    shows: (rule: ListedRule) => rule.isActive,
    empty: 'No rule is active, so prices do not change. Turn one on under All Rules.',
  },
  paused: {
    label: 'Paused',
    shows: (rule: ListedRule) => !rule.isActive,
    empty: 'No rule is paused.',
  },
} as const;
type TabName = keyof typeof TABS;
const TAB_NAMES = Object.keys(TABS) as TabName[];

const NOTHING: ReadonlySet<string> = new Set();

/** The rules by state, with actions for one or many. */
export function RuleTabs({ rules }: { rules: readonly ListedRule[] }): React.JSX.Element {
  const [tab, setTab] = useTab();
  const [selected, setSelected] = useState(NOTHING);
  const [parting, setParting] = useState<RuleChange | null>(null);
  const switching = useSwitchRules();
  const deleting = useDeleteRules();
  const tabBar = useRef<HTMLDivElement>(null);
  const shown = rules.filter(TABS[tab].shows);
  const chosen = shown.filter(({ id }) => selected.has(id));
  const finish = (): void => {
    setParting(null);
    setSelected(NOTHING);
  };
  const part = ({ act, rules: leaving }: RuleChange): void => {
    const ids = leaving.map(({ id }) => id);
    if (act === 'delete') deleting.mutate(ids, { onSettled: finish });
    else switching.mutate({ ids, isActive: false }, { onSettled: finish });
  };
  return (
    <TabGroup
      value={tab}
      onValueChange={(value) => {
        setSelected(NOTHING);
        setTab(value);
      }}
      className="flex flex-1 flex-col gap-3"
    >
      <Card className="p-0 max-md:-mx-4 max-md:rounded-none max-md:border-x-0">
        <TabBar ref={tabBar} aria-label="Rules by state" className="px-4">
          {TAB_NAMES.map((name) => (
            <Tab key={name} value={name}>
              {`${TABS[name].label} `}
              <span className="text-xs text-fg-muted">
                ({formatCount(rules.filter(TABS[name].shows).length)})
              </span>
            </Tab>
          ))}
        </TabBar>
        <TabPanel value={tab}>
          {shown.length === 0 ? (
            <div className="p-4">
              <EmptyNote>{TABS[tab].empty}</EmptyNote>
            </div>
          ) : (
            <>
              <SelectAll shown={shown} chosen={chosen} onChange={setSelected} />
              <RuleRows
                shown={shown}
                rules={rules}
                selected={selected}
                onSelect={setSelected}
                onSwitch={(id, isActive) => {
                  // The row leaves this tab with its switch; the focus must not get lost.
                  if (tab !== 'all')
                    tabBar.current?.querySelector<HTMLElement>('[data-state=active]')?.focus();
                  switching.mutate({ ids: [id], isActive });
                }}
                onDelete={(rule) => setParting({ act: 'delete', rules: [rule] })}
              />
            </>
          )}
        </TabPanel>
      </Card>
      <RulesBulkBar
        count={chosen.length}
        onEnable={() =>
          switching.mutate({ ids: chosen.map(({ id }) => id), isActive: true }, { onSettled: finish })
        }
        onDisable={() => setParting({ act: 'disable', rules: chosen })}
        onDelete={() => setParting({ act: 'delete', rules: chosen })}
        onClear={() => {
          setSelected(NOTHING);
          toast('Selection Cleared', 'No rules are selected.');
        }}
      />
      {parting !== null && (
        <RuleImpactDialog
          parting={parting}
          pending={deleting.isPending || switching.isPending}
          onCancel={() => setParting(null)}
          onConfirm={() => part(parting)}
        />
      )}
    </TabGroup>
  );
}

/** The tab, in the address. */
function useTab(): readonly [TabName, (tab: string) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const tab = TAB_NAMES.find((name) => name === search.tab) ?? 'all';
  return [
    tab,
    (next) => {
      void navigate({
        to: '.',
        search: (now: Record<string, unknown>) => ({ ...now, tab: next === 'all' ? undefined : next }),
        resetScroll: false,
      });
    },
  ];
}

type SelectAllProps = {
  shown: readonly ListedRule[];
  chosen: readonly ListedRule[];
  onChange: (selected: ReadonlySet<string>) => void;
};

function SelectAll({ shown, chosen, onChange }: SelectAllProps): React.JSX.Element {
  const isAll = chosen.length === shown.length;
  return (
    <Checkbox
      label="Select all"
      className="w-full border-b px-4"
      checked={isAll ? true : chosen.length > 0 ? 'mixed' : false}
      onChange={() => onChange(isAll ? NOTHING : new Set(shown.map(({ id }) => id)))}
    />
  );
}

type RuleRowsProps = {
  shown: readonly ListedRule[];
  /** All rules: hidden ones compete too. */
  rules: readonly ListedRule[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onSwitch: (id: string, isActive: boolean) => void;
  onDelete: (rule: ListedRule) => void;
};

function RuleRows(props: RuleRowsProps): React.JSX.Element {
  const { shown, rules, selected, onSelect, onSwitch, onDelete } = props;
  return (
    <ul className="divide-y">
      {shown.map((rule) => (
        <li key={rule.id}>
          <RuleRow
            rule={rule}
            precedence={rule.isActive ? precedenceOf(rule, rules) : null}
            isSelected={selected.has(rule.id)}
            onSelect={(isSelected) => {
              const others = [...selected].filter((id) => id !== rule.id);
              onSelect(new Set(isSelected ? [...others, rule.id] : others));
            }}
            onSwitch={(isActive) => onSwitch(rule.id, isActive)}
            onDelete={() => onDelete(rule)}
          />
        </li>
      ))}
    </ul>
  );
}
