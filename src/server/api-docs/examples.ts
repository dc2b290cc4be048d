import recorded from './examples.json' with { type: 'json' };

/** One call as made by a test: null where there is no body, or no JSON response. */
export interface CallExample {
  readonly url: string;
  readonly body: unknown;
  readonly answer: unknown;
}

const EXAMPLES: Readonly<Record<string, CallExample | undefined>> = recorded;

/**
 * @param call such as "PUT /api/rules/:id"
 * @returns undefined for what has no example, such as the pages of the API description
 */
export function exampleOf(call: string): CallExample | undefined {
  return EXAMPLES[call];
}
