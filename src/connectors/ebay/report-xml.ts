/** An element with what is in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What stands directly in it, references resolved. */
  text: string;
  readonly children: XmlElement[];
}

/** What comes next: text as it is, a remark, a tag, or plain text. Anything else is no XML. */
const PIECE =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[^<>]*\?>|<(\/?)([\w:.-]+)([^<>]*?)(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const DEEPEST = 20;

/**
 * The elements of that name, one after the other, so that a large report needs the memory of one of them. Declarations
 * of types and of references of its own are refused.
 * @throws SyntaxError for what is no XML, and for what ends too early
 */
export function* elementsOf(xml: string, name: string): Generator<XmlElement> {
  const open: XmlElement[] = [];
  let isInside = false;
  let hasRoot = false;
  for (const piece of piecesOf(xml)) {
    const [, data, isEnd, tag, attributes = '', isEmpty, text] = piece;
    const last = open.at(-1);
    if (tag === undefined) {
      const plain = data ?? resolved(text ?? '');
      if (last === undefined && plain.trim() !== '') throw new SyntaxError('text around the document');
      if (isInside && last !== undefined) last.text += plain;
      continue;
    }
    let ended: XmlElement | undefined;
    if (isEnd === '/') {
      if (last?.name !== tag) throw new SyntaxError(`an end that fits nothing: ${tag}`);
      ended = open.pop();
    } else {
      if (open.length >= DEEPEST || (open.length === 0 && hasRoot))
        throw new SyntaxError('too deep or too many');
      hasRoot = true;
      isInside ||= tag === name;
      const element = { name: tag, attributes: attributesOf(attributes), text: '', children: [] };
      if (isInside && last !== undefined && tag !== name) last.children.push(element);
      if (isEmpty === '/') ended = element;
      else open.push(element);
    }
    if (ended?.name === name) {
      isInside = false;
      yield ended;
    }
  }
  if (open.length > 0 || !hasRoot) throw new SyntaxError('it ends too early');
}

function* piecesOf(xml: string): Generator<RegExpExecArray> {
  PIECE.lastIndex = 0;
  for (let at = xml.startsWith('\uFEFF') ? 1 : 0; at < xml.length; ) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(xml);
    if (piece === null) throw new SyntaxError(`no XML at ${at}`);
    at = PIECE.lastIndex;
    yield piece;
  }
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    attributes[name] = resolved(double ?? single ?? '');
  }
  return attributes;
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
