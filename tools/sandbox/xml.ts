/** An element of an XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own text, trimmed. */
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&amp;', '&'],
];

/** Parses the elements that clients send; null for a text that is no document. */
export function parseXml(document: string): Element | null {
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open: OpenElement[] = [root];
  for (let at = 0; at < document.length; ) {
    const current = open.at(-1);
    const start = document.indexOf('<', at);
    const end = start < 0 ? -1 : document.indexOf('>', start);
    if (current === undefined) return null;
    if (start < 0 || end < 0) {
      if (document.slice(at).trim() !== '') return null;
      break;
    }
    current.text += decoded(document.slice(at, start));
    at = end + 1;
    if (!readTag(document.slice(start + 1, end), open)) return null;
  }
  return open.length === 1 && root.children.length === 1 ? (root.children[0] ?? null) : null;
}

/** Reads what is between "<" and ">". @returns false for an end that fits no start */
function readTag(tag: string, open: OpenElement[]): boolean {
  if (tag.startsWith('?') || tag.startsWith('!')) return true;
  const current = open.at(-1);
  if (tag.startsWith('/')) {
    if (current === undefined || open.length < 2 || current.name !== tag.slice(1).trim()) return false;
    current.text = current.text.trim();
    open.pop();
    return true;
  }
  const isEmpty = tag.endsWith('/');
  // Attributes are separated by quotes: name="value" name="value".
  const [first = '', ...rest] = (isEmpty ? tag.slice(0, -1) : tag).split('"');
  const [name = '', ...firstAttribute] = first.trim().split(' ');
  const element: OpenElement = { name, attributes: {}, children: [], text: '' };
  const parts = [firstAttribute.join(''), ...rest];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    element.attributes[(parts[at] ?? '').replace('=', '').trim()] = decoded(parts[at + 1] ?? '');
  }
  current?.children.push(element);
  if (!isEmpty) open.push(element);
  return name !== '';
}

function decoded(text: string): string {
  return ENTITIES.reduce((read, [entity, letter]) => read.replaceAll(entity, letter), text);
}

/** The element at the end of a path of names; undefined without one. */
export function child(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>(
    (found, name) => found?.children.find((one) => one.name === name),
    element,
  );
}

/** The text at the end of a path of names; undefined without such an element. */
export function textAt(element: Element | undefined, ...path: readonly string[]): string | undefined {
  return child(element, ...path)?.text;
}

/** Content of an element: text, written elements, or nothing, which leaves the element out. */
export type Content = string | number | boolean | undefined;

/** Writes an element with text. Undefined content leaves it out. */
export function leaf(name: string, content: Content, attributes = ''): string {
  return content === undefined ? '' : `<${name}${attributes}>${escaped(String(content))}</${name}>`;
}

/** Writes an element with others; empty ones leave it out. */
export function node(name: string, ...children: readonly string[]): string {
  const inner = children.join('');
  return inner === '' ? '' : `<${name}>${inner}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Writes a parsed element again. A space before its own text and after it is not kept. */
export function textOfElement({ name, attributes, children, text }: Element): string {
  const reported = Object.entries(attributes).map(([key, value]) => ` ${key}="${quoted(value)}"`);
  const inner = `${escaped(text)}${children.map(textOfElement).join('')}`;
  return `<${name}${reported.join('')}>${inner}</${name}>`;
}

function quoted(text: string): string {
  return escaped(text).replaceAll('"', '&quot;');
}
