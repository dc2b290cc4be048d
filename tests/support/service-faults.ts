import type { SendOutcome } from '#connectors/connector.ts';
import type { ConnectorFault } from '#connectors/connector-error.ts';
import type { FakeService } from './fake-service.ts';

/** A failure of an external service, and how it has to end. */
export interface ServiceFault {
  readonly name: string;
  readonly answer: FakeService['faults'][number];
  /** The fault of a reading that meets nothing else. */
  readonly read: ConnectorFault;
  /** What becomes of a price that meets it. */
  readonly sent: SendOutcome['kind'];
  /** Nothing comes, so that a test need not wait for long. */
  readonly isSilent?: true;
}

const page = '<html><body>Bad gateway</body></html>';
const busy = (headers: Record<string, string> = {}) => ({ status: 429, body: {}, headers });

export const SERVICE_FAULTS: readonly ServiceFault[] = [
  { name: '429 without a time', answer: busy(), read: 'busy', sent: 'not_sent' },
  { name: '429 with a time', answer: busy({ 'retry-after': '2' }), read: 'busy', sent: 'not_sent' },
  {
    name: '429 with an absurd time',
    answer: busy({ 'retry-after': '99999999' }),
    read: 'busy',
    sent: 'not_sent',
  },
  { name: '500', answer: { status: 500, body: {} }, read: 'service', sent: 'unknown' },
  {
    name: '502 with a page for people',
    answer: { status: 502, body: page, headers: { 'content-type': 'text/html' } },
    read: 'service',
    sent: 'unknown',
  },
  { name: 'no answer in time', answer: () => undefined, read: 'network', sent: 'unknown', isSilent: true },
  {
    name: 'a connection that breaks',
    answer: (response) => void response.destroy(),
    read: 'network',
    sent: 'unknown',
  },
  { name: 'an answer cut short', answer: { body: '{"results": [{' }, read: 'unreadable', sent: 'unknown' },
  { name: 'a page for people', answer: { body: page }, read: 'unreadable', sent: 'unknown' },
  {
    name: '200 with errors in it',
    answer: { body: { error: 'broken', errors: [{ errorId: 25_001, message: 'A system error.' }] } },
    read: 'unreadable',
    sent: 'unknown',
  },
  { name: 'nothing', answer: { body: '' }, read: 'unreadable', sent: 'unknown' },
  { name: 'an empty object', answer: { body: {} }, read: 'unreadable', sent: 'unknown' },
  {
    name: 'a redirect',
    answer: { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } },
    read: 'service',
    sent: 'unknown',
  },
];
