import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Id } from '#contract/fields.ts';
import {
  CountRuleScope,
  CreateRule,
  DraftExplanation,
  EditRule,
  ExplainRule,
  OnRules,
  PreviewRule,
  Rule,
  RuleEarnings,
  RuleImpact,
  RuleList,
  RulePreview,
  RuleScopeCounts,
  RulesChanged,
  RulesDeleted,
  SetRuleActive,
  SetRulesActive,
} from '#contract/rules.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { editorOf } from '#server/editor-of.ts';
import { assuranceFor } from '#server/request-guards.ts';
import { exportRules } from '#usecases/catalog/exports/export-rules.ts';
import { countRuleScope } from '#usecases/repricing/rules/count-rule-scope.ts';
import { createRule } from '#usecases/repricing/rules/create-rule.ts';
import { deleteRules } from '#usecases/repricing/rules/delete-rules.ts';
import { editRule } from '#usecases/repricing/rules/edit-rule.ts';
import { explainDraft } from '#usecases/repricing/rules/explain-draft.ts';
import { previewRule } from '#usecases/repricing/rules/preview-rule.ts';
import type { RuleSaver } from '#usecases/repricing/rules/require-same-preview.ts';
import { restoreRules } from '#usecases/repricing/rules/restore-rules.ts';
import { ruleEarnings } from '#usecases/repricing/rules/rule-earnings.ts';
import { ruleImpact } from '#usecases/repricing/rules/rule-impact.ts';
import { listRules, ruleView } from '#usecases/repricing/rules/rule-view.ts';
import { ruleWriteOf } from '#usecases/repricing/rules/rule-write.ts';
import { switchRules } from '#usecases/repricing/rules/switch-rules.ts';

/** What of the session counts for a save. */
function saverOf(request: FastifyRequest): RuleSaver {
  const isAdmin = request.apiToken === null && request.session?.user.role === 'admin';
  return { ...assuranceFor(request), isAdmin };
}

const config = { access: 'loggedIn' } as const;
const params = z.object({ id: Id });

const numbers = (ids: readonly Id[]): number[] => ids.map(Number);
const changed = (ids: readonly number[]): RulesChanged => ({ ids: ids.map(String) });

export const ruleRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  app.get('/api/rules', { config, schema: { response: { 200: RuleList } } }, async () =>
    listRules(deps.db, deps.now()),
  );

  app.get('/api/rules/export.csv', { config }, async (request, reply) =>
    downloads.send(request, reply, { name: 'rules.csv', filter: {} }, (write) => exportRules(deps.db, write)),
  );

  app.post(
    '/api/rules',
    { config, schema: { body: CreateRule, response: { 201: Rule } } },
    async (request, reply) => {
      const record = await createRule(deps, request.body, editorOf(request), saverOf(request));
      return reply.code(201).send(ruleView(record));
    },
  );

  app.put(
    '/api/rules/:id',
    { config, schema: { params, body: EditRule, response: { 200: Rule } } },
    async (request) => {
      const { params, body } = request;
      return ruleView(await editRule(deps, Number(params.id), body, editorOf(request), saverOf(request)));
    },
  );

  app.put(
    '/api/rules/:id/active',
    { config, schema: { params, body: SetRuleActive, response: { 200: RulesChanged } } },
    async (request) => {
      const ids = [Number(request.params.id)];
      return changed(
        await switchRules(deps, ids, request.body.isActive, editorOf(request), assuranceFor(request)),
      );
    },
  );

  app.delete(
    '/api/rules/:id',
    { config, schema: { params, response: { 200: RulesDeleted } } },
    async (request) => {
      const { ids, impact } = await deleteRules(deps, [Number(request.params.id)], editorOf(request));
      return { ...changed(ids), impact };
    },
  );

  routesOfMany(app as never, deps);
};

/** Actions and questions about several rules. */
function routesOfMany(app: Parameters<FastifyPluginAsyncZod>[0], deps: AppDeps): void {
  app.post(
    '/api/rules/active',
    { config, schema: { body: SetRulesActive, response: { 200: RulesChanged } } },
    async (request) => {
      const { ids, isActive } = request.body;
      return changed(
        await switchRules(deps, numbers(ids), isActive, editorOf(request), assuranceFor(request)),
      );
    },
  );

  app.post(
    '/api/rules/delete',
    { config, schema: { body: OnRules, response: { 200: RulesDeleted } } },
    async (request) => {
      const { ids, impact } = await deleteRules(deps, numbers(request.body.ids), editorOf(request));
      return { ...changed(ids), impact };
    },
  );

  app.post(
    '/api/rules/undelete',
    { config, schema: { body: OnRules, response: { 200: RulesChanged } } },
    async (request) =>
      changed(await restoreRules(deps, numbers(request.body.ids), editorOf(request), assuranceFor(request))),
  );

  app.get(
    '/api/rules/:id/earnings',
    { config, schema: { params, response: { 200: RuleEarnings } } },
    async (request) => ruleEarnings(deps.db, Number(request.params.id), deps.now()),
  );

  // A POST, because the IDs may be too many for an address.
  app.post(
    '/api/rules/impact',
    { config, schema: { body: OnRules, response: { 200: RuleImpact } } },
    async (request) => ruleImpact(deps.db, numbers(request.body.ids), deps.now()),
  );

  app.post(
    '/api/rules/scope',
    { config, schema: { body: CountRuleScope, response: { 200: RuleScopeCounts } } },
    async ({ body }) => countRuleScope(deps.db, body, deps.now()),
  );

  app.post(
    '/api/rules/preview',
    { config, schema: { body: PreviewRule, response: { 200: RulePreview } } },
    async ({ body: { id, rule } }) =>
      previewRule(deps.db, id === null ? null : Number(id), ruleWriteOf(rule), deps.now()),
  );

  app.post(
    '/api/rules/explain',
    { config, schema: { body: ExplainRule, response: { 200: DraftExplanation } } },
    async ({ body: { id, rule, listingId } }) =>
      explainDraft(
        deps.db,
        id === null ? null : Number(id),
        ruleWriteOf(rule),
        Number(listingId),
        deps.now(),
      ),
  );
}
