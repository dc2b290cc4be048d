import { type FakeService, silence } from './fake-service.ts';

type Fault = FakeService['faults'][number];

export interface CallFailure {
  readonly name: string;
  readonly fault: () => Fault;
  /** How a reading ends: it goes on after another try, or fails with this fault. */
  readonly reading: 'passes' | 'busy' | 'service' | 'unreadable' | 'refused' | 'permission';
  /** What becomes of a price that was on its way: sent by another try, or one of the outcomes. */
  readonly sending: 'passes' | 'unknown' | 'not_sent' | 'rejected';
}

const html = { 'content-type': 'text/html' };

/** What can happen to any call to any service, and how it has to end. */
export const CALL_ERRORS: readonly CallFailure[] = [
  {
    name: '429 with a wait',
    fault: () => ({ status: 429, headers: { 'retry-after': '2' } }),
    reading: 'passes',
    sending: 'passes',
  },
  { name: '429 without a wait', fault: () => ({ status: 429 }), reading: 'passes', sending: 'passes' },
  {
    name: '429 with an absurd wait',
    fault: () => ({ status: 429, headers: { 'retry-after': '86400' } }),
    reading: 'busy',
    sending: 'not_sent',
  },
  { name: '500', fault: () => ({ status: 500, body: {} }), reading: 'passes', sending: 'unknown' },
  {
    name: '502 with a page for people',
    fault: () => ({ status: 502, body: '<html>Bad gateway</html>', headers: html }),
    reading: 'passes',
    sending: 'unknown',
  },
  { name: 'no answer', fault: () => silence, reading: 'passes', sending: 'unknown' },
  {
    name: 'a reset',
    fault: () => (response) => void response.destroy(),
    reading: 'passes',
    sending: 'unknown',
  },
  {
    name: 'an answer that breaks off',
    fault: () => (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"a":', () => response.destroy());
    },
    reading: 'passes',
    sending: 'unknown',
  },
  {
    name: 'truncated JSON',
    fault: () => ({ body: '{"data": [{"sku": "A' }),
    reading: 'unreadable',
    sending: 'unknown',
  },
  {
    name: 'a page for people',
    fault: () => ({ body: '<html>Log in</html>', headers: html }),
    reading: 'unreadable',
    sending: 'unknown',
  },
  { name: 'nothing', fault: () => ({ body: '' }), reading: 'unreadable', sending: 'unknown' },
  {
    name: 'a list of numbers',
    fault: () => ({ body: [1, 2] }),
    reading: 'unreadable',
    sending: 'unknown',
  },
  {
    name: 'a redirect',
    fault: () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/elsewhere' } }),
    reading: 'service',
    sending: 'unknown',
  },
  {
    name: '403',
    fault: () => ({ status: 403, body: {} }),
    reading: 'permission',
    sending: 'not_sent',
  },
  { name: '400', fault: () => ({ status: 400, body: {} }), reading: 'refused', sending: 'rejected' },
];

/** Amounts that are no price, as a service could send them. */
export const NO_PRICES: readonly unknown[] = [-1, '-1.00', 'N/A', 'NaN', '1e3', '12,99', true, {}];
