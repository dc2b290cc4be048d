import { screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { realLabels, realQuery, realStyle } from '#tests/support/quick-page.ts';

/** The fast replacements of jsdom's queries give the same results as jsdom's own. */

const PAGE = `
  <main><p>Text</p><span>word</span><table><tbody><tr><th>A</th><td>1</td></tr></tbody></table></main>
  <div hidden><button>in hidden</button></div>
  <div style="display: none"><button>not drawn</button></div>
  <div style="visibility: hidden"><i>unseen</i><b style="visibility: visible">seen again</b></div>
  <div style="pointer-events: none"><button>not to be pressed</button><a style="pointer-events: auto">to be</a></div>
  <dialog>closed</dialog><dialog open>open</dialog><details><summary>More</summary></details>
  <label for="one">For</label><input id="one" /><input id="two" /><label for="one">For again</label>
  <label>Around <input type="checkbox" /><button>second in it</button></label><label for="">of nothing</label>
  <input type="hidden" id="three" /><label for="three">of what is hidden</label><select></select><textarea></textarea>
  <template></template><svg><title>Drawn</title><path d="M0 0" /></svg>`;
const ASKED = ['display', 'visibility', 'pointerEvents', 'animationName', 'overflow', 'position'] as const;

afterEach(() => {
  document.body.replaceChildren();
});

const valuesOf = (style: typeof getComputedStyle, element: Element) =>
  Object.fromEntries(ASKED.map((name) => [name, style(element)[name]]));

describe('a style', () => {
  test('is that of jsdom', () => {
    document.body.innerHTML = PAGE;
    for (const element of document.querySelectorAll('body *')) {
      expect(valuesOf(getComputedStyle, element), element.outerHTML).toEqual(valuesOf(realStyle, element));
      const isDrawn = getComputedStyle(element).getPropertyValue('display');
      expect(isDrawn).toBe(realStyle(element).getPropertyValue('display'));
    }
  });

  test('follows a style sheet that hides', () => {
    document.body.innerHTML =
      '<style>.hidden { display: none }</style><p class="hidden">Hidden</p><p>Here</p>';
    expect([...document.querySelectorAll('p')].map((each) => getComputedStyle(each).display)).toEqual([
      'none',
      'block',
    ]);
  });
});

test('labels are those of jsdom', () => {
  document.body.innerHTML = PAGE;
  const controls = [...document.querySelectorAll<HTMLInputElement>('input, button, select, textarea')];
  expect(controls.length).toBeGreaterThan(6);
  for (const control of controls) {
    const expected = realLabels(control);
    expect(control.labels && [...control.labels], control.outerHTML).toEqual(expected && [...expected]);
  }
});

test('the element of an ID is that of jsdom, in the page, a part of it, and apart from it', () => {
  document.body.innerHTML = `<main id="one"><p id="two"></p></main><p id="two">again</p><p id="a]b"></p>`;
  const apart = document.createElement('div');
  apart.innerHTML = '<i id="two"></i>';
  const containers = [document, document.body, ...document.querySelectorAll('body *'), apart];
  for (const id of ['one', 'two', 'a]b', 'none', 'ONE']) {
    for (const each of containers) {
      expect(each.querySelector(`[id="${id}"]`), id).toBe(realQuery(each, `[id="${id}"]`));
    }
  }
});

test('a query without a match throws with the page as it is', () => {
  document.body.innerHTML = '<p>Only this</p>';
  expect(() => screen.getByRole('button', { name: 'Save' })).toThrow(/role "button".*<p>.*Only this/s);
  expect(() => screen.getByText('Else')).toThrow(/text: Else.*<p>.*Only this/s);
});

test('nothing happens by the clock alone, and a clock of the test’s own runs on', () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const short = setTimeout(() => undefined, 4_999);
  expect(timers()).toBe(before + 1);
  clearTimeout(short);
  setTimeout(() => undefined, 5_000);
  expect(timers()).toBe(before);
  vi.useFakeTimers();
  const isOver = vi.fn();
  setTimeout(isOver, 5_000);
  vi.advanceTimersByTime(5_000);
  expect(isOver).toHaveBeenCalledOnce();
});
