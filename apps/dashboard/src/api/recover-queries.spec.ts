import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { apiError, ConnectionError } from '@understudy/client';

import { recoverQueries } from './recover-queries.js';

const failure = (status: number) =>
  apiError({
    ...{ operation: 'listAgents', status, code: 'unavailable', message: 'The server waits.' },
    ...{ requestId: undefined, details: [], retryAfter: undefined, idempotencyKey: undefined },
  });

/** Starts a page with one call. `call` and `check` can be changed later. */
function start(call: () => Promise<string>) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const mocks = { call: jest.fn(call), check: jest.fn(async (): Promise<unknown> => undefined) };
  recoverQueries(cache, () => mocks.check());
  const observer = new QueryObserver<string>(cache, { queryKey: ['list'], queryFn: () => mocks.call() });
  const leave = observer.subscribe(() => undefined);
  return { cache, mocks, observer, leave };
}

const fail = (error: Error) => () => Promise.reject(error);
const MINUTE = 60_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a call that failed because the server was away', () => {
  it.each([
    ['503', failure(503)],
    ['502 of a proxy', failure(502)],
    ['no response', new ConnectionError('no response', undefined, undefined)],
  ])('is repeated when a check succeeds (%s)', async (_, error) => {
    const { mocks, observer } = start(fail(error));
    mocks.check.mockImplementation(fail(error));
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(mocks.call).toHaveBeenCalledTimes(1);
    expect(mocks.check.mock.calls.length).toBeGreaterThan(5);
    mocks.check.mockImplementation(async () => undefined);
    mocks.call.mockImplementation(async () => 'rows');
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect([observer.getCurrentResult().data, mocks.call.mock.calls.length]).toEqual(['rows', 2]);
    const checks = mocks.check.mock.calls.length;
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(mocks.check).toHaveBeenCalledTimes(checks);
  });

  it('is repeated ever more seldom if it fails although the checks succeed', async () => {
    const { mocks } = start(fail(failure(503)));
    await jest.advanceTimersByTimeAsync(60 * MINUTE);
    expect(mocks.call.mock.calls.length).toBeGreaterThan(3);
    expect(mocks.call.mock.calls.length).toBeLessThan(15);
  });

  it('is not repeated after the reader has left its page', async () => {
    const { mocks, leave } = start(fail(failure(503)));
    await jest.advanceTimersByTimeAsync(0);
    leave();
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(mocks.call).toHaveBeenCalledTimes(1);
  });
});

it('repeats no call that the server has refused, and makes no check for it', async () => {
  const { mocks } = start(fail(failure(404)));
  await jest.advanceTimersByTimeAsync(MINUTE);
  expect([mocks.call.mock.calls.length, mocks.check.mock.calls.length]).toEqual([1, 0]);
});
