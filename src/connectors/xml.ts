import { SaxesParser } from 'saxes';

/** An element with its content. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its direct text content, with references resolved. */
  text: string;
  readonly children: XmlElement[];
}

const DEEPEST = 30;
/** Characters that are parsed before the elements in them are passed on. */
const CHUNK = 65_536;

/**
 * The elements with that name, one after the other, so that a large document needs the memory of a few of them. DTDs
 * and entity declarations are refused.
 * @throws SyntaxError for what is no XML, and for what ends too early
 */
export function* elementsOf(xml: string, name: string): Generator<XmlElement> {
  const ready: XmlElement[] = [];
  const parser = collector(name, (element) => ready.push(element));
  for (let at = 0; at < xml.length; at += CHUNK) {
    parser.write(xml.slice(at, at + CHUNK));
    yield* ready.splice(0);
  }
  parser.close();
  yield* ready.splice(0);
}

/** @param onElement gets each element with that name once it has ended */
function collector(name: string, onElement: (element: XmlElement) => void): SaxesParser<{ xmlns: false }> {
  const parser = new SaxesParser({ position: false, xmlns: false });
  const refuse = (why: string): never => {
    throw new SyntaxError(why);
  };
  /** The elements that are open, from the outermost one with that name. */
  const open: XmlElement[] = [];
  let depth = 0;
  const addText = (text: string): void => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  };
  parser.on('error', (error) => refuse(error.message));
  parser.on('doctype', () => refuse('a document type'));
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > DEEPEST) refuse('too deep');
    if (open.length === 0 && tag.name !== name) return;
    const element: XmlElement = { name: tag.name, attributes: tag.attributes, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    depth -= 1;
    const ended = open.pop();
    if (ended !== undefined && open.length === 0) onElement(ended);
  });
  return parser;
}

/** The child at the end of a path of names; undefined where one of them is missing. */
export function childAt(
  element: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement | undefined {
  return names.reduce<XmlElement | undefined>(
    (at, name) => at?.children.find((child) => child.name === name),
    element,
  );
}

/** The children with that name. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The trimmed text at the end of a path of names; empty where one of them is missing. */
export function textAt(element: XmlElement | undefined, ...names: readonly string[]): string {
  return (childAt(element, ...names)?.text ?? '').replaceAll('\0', '').trim();
}

/** A text as the content of an element. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
