import { screen, within } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import type { ListedRule, RuleImpact, RuleScopeCounts } from '#contract/rules.ts';
import { aDraftExplanation, aPreview, aRuleView } from '#tests/builders/rule-views.ts';
import { type Answers, aUser, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';

export const SUMMER: ListedRule = aRuleView({ id: '1', name: 'Summer', competitorOffset: '-0.05' });
export const WINTER: ListedRule = aRuleView({
  id: '2',
  name: 'Winter',
  isActive: false,
  fulfillmentType: 'FBM',
  appliedTo: 0,
});

const IMPACT: RuleImpact = { listings: 12, own: 0, newRules: [{ rule: null, listings: 12 }] };

const SCOPE: RuleScopeCounts = { matching: 12, deciding: 12, own: 0, others: [], appliesNow: true };

/** The front at an address of the rules, over a server that remembers them. */
export function openRules(
  address = '/rules',
  rules: readonly ListedRule[] = [SUMMER, WINTER],
  more: Answers = {},
) {
  let stored = rules;
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/rules': () => ({ body: { rules: stored, timeZone: 'America/New_York' } }),
    'POST /api/rules/active': (body) => {
      const { ids, isActive } = body as { ids: string[]; isActive: boolean };
      const changed = stored.filter((rule) => ids.includes(rule.id) && rule.isActive !== isActive);
      stored = stored.map((rule) => (ids.includes(rule.id) ? { ...rule, isActive } : rule));
      return { body: { ids: changed.map(({ id }) => id) } };
    },
    'POST /api/rules/preview': { body: aPreview() },
    'POST /api/rules/explain': { body: aDraftExplanation() },
    'POST /api/rules/scope': { body: SCOPE },
    'POST /api/rules/impact': { body: IMPACT },
    'POST /api/rules/delete': (body) => {
      const { ids } = body as { ids: string[] };
      stored = stored.filter(({ id }) => !ids.includes(id));
      return { body: { ids, impact: IMPACT } };
    },
    'POST /api/rules/undelete': (body) => {
      stored = rules;
      return { body };
    },
    ...more,
  });
  const router = renderApp(address);
  const calls = (call: string) => sent.filter((each) => each.call === call).map(({ body }) => body);
  // The toasts' region lets presses through by a style of its own, and no stylesheet is loaded here to undo it.
  return { calls, router, user: userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never }) };
}

/**
 * Waits for a text. Roles and names are worked out anew for the whole page at each change of it, which is what most of
 * the time of such a test would go into.
 */
export function untilText(text: string, selector: string): Promise<HTMLElement> {
  return screen.findByText(text, { selector });
}

/** The card of a rule. */
export async function ruleCard(name: string): Promise<HTMLElement> {
  await untilText(name, 'h3');
  return screen.getByRole('group', { name });
}

/** The open editor. */
export async function ruleEditor() {
  await untilText('Preview', 'h2');
  return within(screen.getByRole('dialog'));
}
