import { configure, prettyDOM } from '@testing-library/react';
import * as React from 'react';

/*
 * jsdom, React's development build and the Testing Library do some things at great length that no test of a screen looks
 * at. Each is replaced here by a shorter way to the same answer. Loaded once for all files of a worker.
 */

/** React notes for every element where in the code it was made, and stops that after 10,000 in a second. From the first. */
const internals: object = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
);
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => Number.POSITIVE_INFINITY,
  set: () => undefined,
});

type ComputedStyle = typeof globalThis.getComputedStyle;
/** The answer of jsdom itself. */
export const realStyle: ComputedStyle = globalThis.getComputedStyle.bind(globalThis);

/** What a query, a press or a dialog asks of a style; where a style sheet says something of it, jsdom answers. */
const ASKED = /display|visibility|pointer-events|animation/;
const quietSheets = new WeakSet<CSSStyleSheet>();

function isStyled(): boolean {
  for (const sheet of document.styleSheets) {
    if (quietSheets.has(sheet)) continue;
    if ([...sheet.cssRules].some(({ cssText }) => ASKED.test(cssText))) return true;
    quietSheets.add(sheet);
  }
  return false;
}

/** What the browser's own style sheet makes of an element, by all that this depends on. */
const ownStyles = new Map<string, CSSStyleDeclaration>();
const DEPENDS_ON = ['hidden', 'type', 'open', 'popover'];

function ownStyle(element: Element): CSSStyleDeclaration {
  // The one kind whose look depends on what it is in.
  if (element.localName === 'summary') return realStyle(element);
  let key = `${element.namespaceURI} ${element.localName}`;
  for (const name of DEPENDS_ON) key += ` ${element.getAttribute(name)}`;
  let style = ownStyles.get(key);
  if (style === undefined) {
    const alike = document.createElementNS(element.namespaceURI, element.localName);
    for (const name of DEPENDS_ON) {
      const value = element.getAttribute(name);
      if (value !== null) alike.setAttribute(name, value);
    }
    style = realStyle(alike);
    ownStyles.set(key, style);
  }
  return style;
}

/** From the element's `style`, or from that of the nearest one around it where this is how it is with the property. */
const INHERITED = new Set(['visibility', 'pointerEvents', 'pointer-events']);

function inlineValue(element: Element, name: string): string {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    const style: unknown = each.hasAttribute('style') ? Reflect.get(each, 'style') : undefined;
    const value: unknown = style === undefined ? '' : Reflect.get(Object(style), name);
    if (typeof value === 'string' && value !== '' && value !== 'inherit') return value;
    if (!INHERITED.has(name)) break;
  }
  return '';
}

const styleValue = (element: Element, name: string): unknown =>
  inlineValue(element, name) || Reflect.get(ownStyle(element), name);

/** Milliseconds: the shortest of the times after which something happens without anyone doing anything, such as a toast. */
const BY_THE_CLOCK = 5_000;
const realTimeout = globalThis.setTimeout;

/**
 * A test that takes five seconds of a screen is on a busy machine: a toast must not be gone before it is read.
 * What happens by the clock is tested with a clock of the test's own, which takes the place of this one. Runners and the
 * Testing Library have their own timers.
 */
const patientTimeout = (work: () => void, delay = 0, ...given: []): ReturnType<typeof setTimeout> => {
  const timer = realTimeout(work, delay, ...given);
  if (delay >= BY_THE_CLOCK) clearTimeout(timer);
  return timer;
};
Object.assign(globalThis, { setTimeout: Object.assign(patientTimeout, realTimeout) });

/**
 * The computed style of jsdom matches every rule of the browser's own style sheet with every element that a query by role
 * looks at, and begins anew when anything changes. The tests load no other sheet: an element's own `style` and what the
 * browser makes of its kind are the whole answer.
 */
const quickStyle: ComputedStyle = (element, pseudo) => {
  if (pseudo || isStyled()) return realStyle(element, pseudo);
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_, name) => {
      if (name === 'getPropertyValue') return (property: string) => styleValue(element, property);
      return typeof name === 'string' ? styleValue(element, name) : undefined;
    },
  });
};
for (const window of [globalThis, document.defaultView]) {
  if (window !== null) Object.assign(window, { getComputedStyle: quickStyle });
}

type Labels = Iterable<HTMLLabelElement> | null;
/** The answer of jsdom itself. */
export function realLabels(control: HTMLElement): Labels {
  const own = ownGetters.get(control.constructor.prototype);
  return own === undefined ? null : (own.call(control) as Labels);
}
const ownGetters = new Map<object, () => unknown>();

/** Around the proxy of a collection, which first looks for elements of that name. */
const itemOf = HTMLCollection.prototype.item;

/** jsdom looks for the labels of a control in the whole page, element by element, for each control anew. */
function labelsOf(control: HTMLElement): HTMLLabelElement[] | null {
  if (control instanceof HTMLInputElement && control.type === 'hidden') return null;
  const all = document.getElementsByTagName('label');
  const found: HTMLLabelElement[] = [];
  for (let at = 0; ; at += 1) {
    const label = itemOf.call(all, at);
    if (!(label instanceof HTMLLabelElement)) return found;
    const isOf = label.hasAttribute('for')
      ? label.htmlFor !== '' && label.htmlFor === control.id
      : label.contains(control) && label.control === control;
    if (isOf) found.push(label);
  }
}
const LABELED = [HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement];
for (const { prototype } of [...LABELED, HTMLOutputElement, HTMLMeterElement, HTMLProgressElement]) {
  const own = Object.getOwnPropertyDescriptor(prototype, 'labels')?.get;
  if (own !== undefined) ownGetters.set(prototype, own);
  Object.defineProperty(prototype, 'labels', {
    configurable: true,
    get(this: HTMLElement) {
      return labelsOf(this);
    },
  });
}

/** The answer of jsdom itself. */
export function realQuery(container: Element | Document, selector: string): Element | null {
  return (container instanceof Document ? realDocumentQuery : realElementQuery).call(container, selector);
}
const realElementQuery = Element.prototype.querySelector;
const realDocumentQuery = Document.prototype.querySelector;
const BY_ID = /^\[id="([^"\\\]]+)"\]$/;

/**
 * The Testing Library looks for the element of each `aria-labelledby` with a selector, for which jsdom visits the whole
 * page; the document knows where its first element with an ID is.
 */
function quickQuery(this: Element | Document, selector: string): Element | null {
  const id = BY_ID.exec(selector)?.[1];
  if (id !== undefined) {
    const found = document.getElementById(id);
    if (found !== null && found !== this && this.contains(found)) return found;
  }
  return realQuery(this, selector);
}
for (const { prototype } of [Element, Document]) {
  Object.defineProperty(prototype, 'querySelector', {
    configurable: true,
    writable: true,
    value: quickQuery,
  });
}

const nextTurn = globalThis.setImmediate;

/** Lets React finish: what an effect changes is drawn in the turn after the one of the effect. */
async function settle(): Promise<void> {
  for (const _ of ['effects', 'what they change']) await new Promise((resolve) => nextTurn(resolve));
}

/** What was looked for and, once that is read, the page: a wait tries often and throws all errors but the last away. */
function elementError(about: string | null, container: Element): Error {
  const error = new Error();
  error.name = 'TestingLibraryElementError';
  return Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => [about, prettyDOM(container)].filter(Boolean).join('\n\n'),
  });
}

configure(({ asyncWrapper }) => ({
  getElementError: elementError,
  // After whatever was waited for and after everything a person does. On a busy machine the test would go on earlier, when
  // a dialog is drawn and does not take the pointer yet.
  asyncWrapper: async (work) => {
    const result = await asyncWrapper(work);
    await settle();
    return result;
  },
}));
