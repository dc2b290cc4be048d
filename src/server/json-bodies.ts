import type { FastifyInstance } from 'fastify';
import { AppError } from '#usecases/app-error.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Longest shown part of a name. */
const LONGEST_NAME = 60;

/**
 * Parses JSON bodies as the framework does, and refuses those in which an object has a field twice: parsers differ
 * in which of the two counts, and a proxy or log in front may have used the other one.
 */
export function takeJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    parse(request, text, (error, parsed: unknown) => {
      const twin = error === null ? nameOfTwin(text) : null;
      if (twin === null) return done(error, parsed);
      const name = JSON.stringify(twin.slice(0, LONGEST_NAME));
      done(new AppError('bad_request', `The field ${name} is sent twice in one object. Send it once.`));
    });
  });
}

/**
 * The first name that an object of a JSON text has twice, with its escapes decoded; null without one. In one pass
 * and without recursion: a body may be nested as deep as it is long.
 * @param text JSON that was parsed before
 */
function nameOfTwin(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === OPEN_OBJECT) open.push(new Set());
    else if (character === OPEN_ARRAY) open.push(null);
    else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) open.pop();
    else if (character === QUOTE) {
      const end = endOfText(text, at);
      if (text.charCodeAt(pastSpaces(text, end)) === COLON) {
        const name = String(JSON.parse(text.slice(at, end)));
        const names = open.at(-1);
        if (names?.has(name) === true) return name;
        names?.add(name);
      }
      at = end - 1;
    }
  }
  return null;
}

/** The position after the quote that ends the text starting at `start`. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function pastSpaces(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}
