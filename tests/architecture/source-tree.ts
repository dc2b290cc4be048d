import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/** The fields of a syntax tree node that the checks use. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** A source file as text and as a syntax tree. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
  readonly nodes: readonly SyntaxNode[];
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** A node and all its descendants, in one list: a list for each node took seconds. */
function nodesIn(node: SyntaxNode, into: SyntaxNode[] = []): SyntaxNode[] {
  into.push(node);
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const each of value) if (isNode(each)) nodesIn(each, into);
    } else if (isNode(value)) nodesIn(value, into);
  }
  return into;
}

/**
 * All source files that git tracks or would add, except tests.
 * @param folders such as "src" and "scripts"
 */
export function readSources(...folders: readonly string[]): SourceFile[] {
  return readSourcesWith('', ...folders);
}

/** The same, of the files that contain a text: parsing all of them takes seconds. */
export function readSourcesWith(wanted: string, ...folders: readonly string[]): SourceFile[] {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', ...folders];
  return execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.(?:test|typetest)\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => text.includes(wanted))
    .map(({ file, text }) => {
      const { program, errors } = parseSync(file, text);
      if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
      return { file, text, nodes: nodesIn(program as unknown as SyntaxNode) };
    });
}

/** The source text of a node. */
export function textOf({ text }: SourceFile, node: unknown): string {
  return isNode(node) ? text.slice(node.start, node.end) : '';
}
