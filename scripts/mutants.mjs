import { parseSync } from 'vite';

/**
 * Small wrong versions of a TypeScript file: one changed operator, number, condition, call or
 * statement each. Strings are left alone, and so is everything that is only a type.
 * @returns {{line: number, kind: string, before: string, after: string, text: string}[]}
 */
export function mutantsOf(name, source) {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  const found = [];
  const add = (kind, node, after) => {
    const before = source.slice(node.start, node.end);
    if (before === after) return;
    found.push({
      line: source.slice(0, node.start).split('\n').length,
      kind,
      before: oneLine(before),
      after: oneLine(after),
      text: source.slice(0, node.start) + after + source.slice(node.end),
    });
  };
  walk(program, (node) => MUTATORS[node.type]?.(node, add, (part) => source.slice(part.start, part.end)));
  return found;
}

const oneLine = (text) => text.replace(/\s+/g, ' ');

const OPERATORS = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
};
const ASSIGNMENTS = { '+=': '-=', '-=': '+=' };
const STATIC_CALLS = {
  'Math.min': 'Math.max',
  'Math.max': 'Math.min',
  'Math.floor': 'Math.ceil',
  'Math.ceil': 'Math.floor',
};
const METHODS = {
  find: 'findLast',
  some: 'every',
  every: 'some',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
};
/** Calls that may be left out: the value they were called on stays. */
const DROPPED = new Set(['filter', 'sort', 'reverse', 'trim', 'normalize', 'padStart', 'slice']);

const MUTATORS = {
  BinaryExpression(node, add, text) {
    for (const operator of OPERATORS[node.operator] ?? []) {
      add('operator', node, `${text(node.left)} ${operator} ${text(node.right)}`);
    }
  },
  LogicalExpression(node, add, text) {
    const [left, right] = [text(node.left), text(node.right)];
    if (node.operator !== '??')
      add('logic', node, `(${left}) ${node.operator === '&&' ? '||' : '&&'} (${right})`);
    add('right side only', node, right);
    add('left side only', node, left);
  },
  ConditionalExpression: (node, add) => condition(node.test, add),
  IfStatement: (node, add) => condition(node.test, add),
  ForStatement: (node, add) => node.test && add('condition', node.test, 'false'),
  WhileStatement: (node, add) => add('condition', node.test, 'false'),
  UnaryExpression(node, add, text) {
    if (node.operator === '!' || node.operator === '-') add('sign', node, text(node.argument));
  },
  Literal(node, add) {
    if (typeof node.value === 'boolean') add('boolean', node, String(!node.value));
    if (typeof node.value !== 'number') return;
    add('number', node, String(node.value + 1));
    add('number', node, `(${node.value - 1})`);
  },
  CallExpression(node, add, text) {
    const { callee } = node;
    if (callee.type !== 'MemberExpression') return;
    const called = text(callee);
    const name = callee.property.name;
    if (called in STATIC_CALLS) add('call', callee, STATIC_CALLS[called]);
    else if (called === 'Math.abs') add('call', node, `(${text(node.arguments[0])})`);
    else if (name in METHODS) add('call', callee.property, METHODS[name]);
    else if (DROPPED.has(name)) add('call', node, text(callee.object));
  },
  AssignmentExpression(node, add, text) {
    const other = ASSIGNMENTS[node.operator];
    if (other) add('operator', node, `${text(node.left)} ${other} ${text(node.right)}`);
  },
  ExpressionStatement: (node, add) => add('statement', node, ';'),
  ContinueStatement: (node, add) => add('statement', node, ';'),
  BreakStatement: (node, add) => add('statement', node, ';'),
  ReturnStatement(node, add) {
    if (node.argument !== null) nothing(node.argument, add);
  },
  ArrowFunctionExpression(node, add) {
    if (node.body.type !== 'BlockStatement') nothing(node.body, add);
  },
};

function condition(test, add) {
  add('condition', test, 'true');
  add('condition', test, 'false');
}

function nothing(value, add) {
  // A returned true or false is flipped elsewhere; null would only be another false.
  const isPlain = value.type === 'Literal' && (value.value === null || typeof value.value === 'boolean');
  if (!isPlain) add('result', value, 'null');
}

/** Calls `visit` for every node that runs. */
function walk(node, visit) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const part of node) walk(part, visit);
    return;
  }
  if (typeof node.type !== 'string') return;
  if (WRAPPERS.has(node.type)) return walk(node.expression, visit);
  if (node.type.startsWith('TS') || node.type === 'ImportDeclaration') return;
  visit(node);
  for (const [key, part] of Object.entries(node)) if (key !== 'typeAnnotation') walk(part, visit);
}

const WRAPPERS = new Set(['TSAsExpression', 'TSSatisfiesExpression']);
