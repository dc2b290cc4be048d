import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { AuditFilter, AuditPage, AuditPeople, AuditQuery, type AuditRow } from '#contract/audit.ts';
import { listActors } from '#db/queries/identity/audit-filter.ts';
import { type AuditListRow, readAudit } from '#db/queries/identity/audit-list.ts';
import { auditActionsIn, auditSentence, auditWording } from '#domain/audit-actions.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { exportAudit } from '#usecases/catalog/exports/export-audit.ts';

const config = { access: 'admin' } as const;

/** Who did what. Reading it leaves no audit row, downloading it does. */
export const auditRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  app.get(
    '/api/audit',
    { config, schema: { querystring: AuditQuery, response: { 200: AuditPage } } },
    async ({ query: { before, after, size, ...filter } }) => {
      const page = await readAudit(deps.db, { ...withActions(filter), before, after, size });
      return { ...page, rows: page.rows.map(auditRow) };
    },
  );

  app.get('/api/audit/people', { config, schema: { response: { 200: AuditPeople } } }, async () => ({
    people: await listActors(deps.db),
  }));

  app.get('/api/audit/export.csv', { config, schema: { querystring: AuditFilter } }, async (request, reply) =>
    downloads.send(request, reply, { name: 'audit-log.csv', filter: request.query }, (write) =>
      exportAudit(deps.db, withActions(request.query), write),
    ),
  );
};

function withActions({ group, ...filter }: AuditFilter): Parameters<typeof exportAudit>[1] {
  return { ...filter, ...(group !== undefined && { actions: auditActionsIn(group) }) };
}

function auditRow({ targetKind, targetId, targetName, ...row }: AuditListRow): AuditRow {
  return {
    ...row,
    group: auditWording(row.action)?.group ?? null,
    sentence: auditSentence({ ...row, targetKind, targetId, targetName }),
    target: targetKind === null ? null : { kind: targetKind, id: targetId, name: targetName },
  };
}
