import recorded from './examples.json' with { type: 'json' };

/** One call as a test made it: null where there is no body, or no answer in JSON. */
export interface CallExample {
  readonly url: string;
  readonly body: unknown;
  readonly answer: unknown;
}

const EXAMPLES: Readonly<Record<string, CallExample | undefined>> = recorded;

/**
 * @param call such as "PUT /api/rules/:id"
 * @returns undefined for what has no example, such as the pages of the description itself
 */
export function exampleOf(call: string): CallExample | undefined {
  return EXAMPLES[call];
}
