import { describe, expect, test } from 'vitest';
import { ApiError, NoAnswerError } from '#web/lib/api.ts';
import { SYNC_FAILED, syncDoneText, syncFailureText } from './veeqo-sync-text.ts';

describe('the result of a sync', () => {
  test.each([
    [3, 0, 0, 'Successfully imported 3 SKUs.'],
    [0, 2, 0, 'Successfully imported 0 SKUs. 2 SKUs skipped (already exist).'],
    [1204, 1, 0, 'Successfully imported 1,204 SKUs. 1 SKUs skipped (already exist).'],
    [0, 0, 2, 'Successfully imported 0 SKUs. 2 SKUs deleted here and not restored.'],
  ])('%s imported, %s skipped, %s left deleted', (imported, skipped, leftDeleted, text) => {
    expect(syncDoneText({ imported, skipped, leftDeleted })).toBe(text);
  });
});

describe('the reason of a failed sync', () => {
  test.each([
    [new ApiError(500, '', '{"error":"Veeqo said no"}'), 'Veeqo said no'],
    [new ApiError(500, '', '{"details":"The key is old"}'), 'The key is old'],
    [new ApiError(500, '', '{"error":"","details":"The key is old"}'), 'The key is old'],
    [new ApiError(500, '', 'Failed: {"error":"Veeqo said no"} (try later)'), 'Veeqo said no'],
    [new Error('{"error":"Veeqo said no"}'), 'Veeqo said no'],
    [
      new ApiError(409, '', '{"message":"Veeqo is being read already.","code":"conflict","requestId":"r"}'),
      'Veeqo is being read already.',
    ],
    [new ApiError(502, 'Bad Gateway', 'Veeqo is away'), '502: Veeqo is away'],
    [new ApiError(500, '', '{"error":5}'), '500: {"error":5}'],
    [new ApiError(502, 'Bad Gateway', '<html>nginx</html>'), SYNC_FAILED],
    [new ApiError(502, 'Bad Gateway', ''), SYNC_FAILED],
    [new Error('socket hang up'), 'socket hang up'],
    [new Error('broken {json'), 'broken {json'],
    [new Error('{"error":5}'), '{"error":5}'],
    [new Error(''), SYNC_FAILED],
  ])('of %s is only its message', (error, text) => {
    expect(syncFailureText(error)).toBe(text);
  });

  test('without a response', () => {
    expect(syncFailureText(new NoAnswerError('POST: no answer'))).toMatch(/^Pricewright is not responding/);
  });
});
