import { userEvent } from '@testing-library/user-event';
import type { Import } from '#contract/imports.ts';
import { type Answers, aUser, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';

/** A checked file of SKUs: 3 new, 2 changed, 1 as it is, 2 rejected. */
export function anImport(given: Partial<Import> = {}): Import {
  return {
    id: '3',
    kind: 'skus',
    source: 'own',
    fileName: 'skus.csv',
    size: 1_240,
    layout: { separator: ',', encoding: 'utf-8', titleLines: 0, totalLines: [], rows: 8 },
    state: 'checked',
    createdBy: 'sam@example.com',
    createdAt: '2026-11-21T10:00:00.000Z',
    header: ['Code', 'cost', 'colour'],
    preview: [
      ['A-1', '6.10', 'blue'],
      ['A-2', '7', 'red'],
    ],
    columns: [
      { name: 'sku', label: 'SKU', isRequired: true, hint: 'Your code for the product' },
      { name: 'productCost', label: 'Product Cost', isRequired: false, hint: 'What one costs you' },
    ],
    mapping: { sku: 0, productCost: 1 },
    ignoredColumns: ['colour'],
    missingColumns: [],
    defaults: {},
    guessed: [],
    confidence: {},
    remembered: null,
    questions: [],
    numbers: { comma: null, point: null, either: null },
    samples: {},
    readings: {},
    saysCosts: false,
    error: null,
    counts: { rows: 8, create: 3, update: 2, unchanged: 1, rejected: 2 },
    problems: [
      {
        column: 'productCost',
        problem: 'is not an amount',
        fix: 'Replace the letter O.',
        count: 2,
        firstLines: [4, 7],
        isSecondary: false,
      },
    ],
    notes: [],
    effect: null,
    rulesInUtc: 0,
    sellers: [],
    jobId: null,
    checkId: '6',
    ...given,
  };
}

/** The product at an address of the imports. */
export function openImports(address: string, answers: Answers) {
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/jobs': { body: [] },
    ...answers,
  });
  const router = renderApp(address);
  const bodyOf = (call: string): unknown => sent.find((each) => each.call === call)?.body;
  return { sent, bodyOf, router, user: userEvent.setup({ applyAccept: false }) };
}
