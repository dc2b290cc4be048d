/** An element with its content. */
export interface XmlElement {
  readonly name: string;
  /** Its opening tag, to read an attribute from. */
  readonly tag: string;
  /** Its direct text content, with references resolved. */
  text: string;
  readonly children: XmlElement[];
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const DEEPEST = 20;

type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tag'; readonly name: string; readonly tag: string; readonly isEmpty: boolean }
  | { readonly kind: 'end'; readonly name: string };

/**
 * The elements with that name, one after the other, so that a large report needs the memory of one of them. DTDs
 * and entity declarations are refused.
 * @throws SyntaxError for what is no XML, and for what ends too early
 */
export function* elementsOf(xml: string, name: string): Generator<XmlElement> {
  const open: XmlElement[] = [];
  let isInside = false;
  let hasRoot = false;
  for (const piece of piecesOf(xml)) {
    const last = open.at(-1);
    if (piece.kind === 'text') {
      if (last === undefined && piece.text.trim() !== '') throw new SyntaxError('text around the document');
      if (isInside && last !== undefined) last.text += piece.text;
      continue;
    }
    let ended: XmlElement | undefined;
    if (piece.kind === 'end') {
      if (last?.name !== piece.name) throw new SyntaxError(`an end that fits nothing: ${piece.name}`);
      ended = open.pop();
    } else {
      if (open.length >= DEEPEST || (open.length === 0 && hasRoot))
        throw new SyntaxError('too deep or too many');
      hasRoot = true;
      isInside ||= piece.name === name;
      const element = { name: piece.name, tag: piece.tag, text: '', children: [] };
      if (isInside && last !== undefined && piece.name !== name) last.children.push(element);
      if (piece.isEmpty) ended = element;
      else open.push(element);
    }
    if (ended?.name === name) {
      isInside = false;
      yield ended;
    }
  }
  if (open.length > 0 || !hasRoot) throw new SyntaxError('it ends too early');
}

function* piecesOf(xml: string): Generator<Piece> {
  let at = xml.startsWith('\uFEFF') ? 1 : 0;
  /** The text before the next such mark; reading continues after it. */
  const until = (mark: string, from: number): string => {
    const end = xml.indexOf(mark, from);
    if (end === -1) throw new SyntaxError(`${mark} is missing`);
    at = end + mark.length;
    return xml.slice(from, end);
  };
  while (at < xml.length) {
    if (xml[at] !== '<') {
      const next = xml.indexOf('<', at);
      const end = next === -1 ? xml.length : next;
      yield { kind: 'text', text: resolved(xml.slice(at, end)) };
      at = end;
    } else if (xml.startsWith('<![CDATA[', at)) yield { kind: 'text', text: until(']]>', at + 9) };
    else if (xml.startsWith('<!--', at)) until('-->', at + 4);
    else if (xml.startsWith('<?', at)) until('?>', at + 2);
    else yield tagOf(until('>', at + 1));
  }
}

/** @param tag the text between the angle brackets */
function tagOf(tag: string): Piece {
  const isEnd = tag.startsWith('/');
  const name = /^[\w:.-]+/.exec(isEnd ? tag.slice(1) : tag)?.[0];
  // Also a declaration, which starts with "!".
  if (name === undefined || tag.includes('<')) throw new SyntaxError('a tag without a name');
  return isEnd ? { kind: 'end', name } : { kind: 'tag', name, tag, isEmpty: tag.endsWith('/') };
}

function resolved(text: string): string {
  return text.replace(/&([^;\s]{1,10});/g, (_, reference: string) => {
    const number = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(reference);
    const code = number === null ? null : Number.parseInt(number[1] ?? number[2] ?? '', number[1] ? 16 : 10);
    const found =
      code === null ? NAMED[reference] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
    if (found === undefined) throw new SyntaxError(`a reference to nothing: ${reference}`);
    return found;
  });
}
