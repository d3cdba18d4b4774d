import { apiError, ConnectionError, StreamInterruptedError } from '@understudy/client';

import { fieldProblems, otherProblem, problemOf } from './problem.js';

const failure = (status: number, more: Partial<Parameters<typeof apiError>[0]> = {}) =>
  apiError({
    operation: 'createSyncJob',
    status,
    code: 'some_code',
    message: 'The server reports (this).',
    requestId: 'req_1',
    details: [],
    retryAfter: undefined,
    idempotencyKey: undefined,
    ...more,
  });

describe('problemOf', () => {
  it.each([
    [401, 'You are signed out', 'Sign in again'],
    [402, 'A limit of your plan is reached', 'Usage shows all limits.'],
    [403, 'You are not allowed to do this', 'Ask an admin of your organisation'],
    [404, 'This does not exist', 'Somebody may have deleted it.'],
    [409, 'The state has changed', 'Load the page again'],
    [413, 'This is too large', 'Send less at once'],
    [422, 'The server did not accept this input', 'Correct the fields'],
    [429, 'There were too many requests', 'Wait for a minute.'],
    [500, 'The server failed', 'send the request id to the operator'],
    [503, 'The server is not ready', 'Try again in a moment.'],
    [418, 'This page failed', 'Load the page again.'],
  ])(
    'returns for the status %i the title "%s", the message of the server and a fix',
    (status, title, remedy) => {
      expect(problemOf(failure(status), true)).toMatchObject({
        ...{ title, text: 'The server reports (this).', requestId: 'req_1', status },
        remedy: expect.stringContaining(remedy) as string,
      });
    },
  );

  it('leaves the fields out of the text, because they are in the details', () => {
    const details = [{ field: 'name', message: 'expected a text' }];
    expect(problemOf(failure(422, { details }), true)).toMatchObject({
      text: 'The server reports (this).',
      details: ['name: expected a text'],
    });
    expect(problemOf(failure(422, { details, requestId: undefined }), true).text).toBe(
      'The server reports (this).',
    );
  });

  it.each([
    [1, 'Wait for 1 second. Then try again.'],
    [30, 'Wait for 30 seconds. Then try again.'],
    [undefined, 'Wait for a minute. Then try again.'],
  ])('names the time to wait of %s seconds', (retryAfter, remedy) => {
    expect(problemOf(failure(429, { retryAfter }), true).remedy).toBe(remedy);
  });

  it('distinguishes a device without a network from a server that does not respond', () => {
    const error = new ConnectionError('x', undefined, undefined);
    expect(problemOf(error, false).title).toBe('You are offline');
    expect(problemOf(error, true).title).toBe('The server cannot be reached');
  });

  it('shows no text of an unknown error', () => {
    expect(problemOf(new TypeError('secret'), true)).toMatchObject({ title: 'This page failed' });
    expect(JSON.stringify(problemOf(new TypeError('secret'), true))).not.toContain('secret');
    expect(problemOf(new StreamInterruptedError('3 of 5', 3, 5, undefined), true).text).toBe('3 of 5');
  });
});

describe('otherProblem', () => {
  const details = [
    { field: 'scopes[2]', message: 'at a field' },
    { field: 'plan', message: 'at no field' },
  ];

  it('returns nothing without an error, or if each problem is at its field', () => {
    expect(otherProblem(null, {}, true)).toBeUndefined();
    expect(otherProblem(undefined, {}, true)).toBeUndefined();
    expect(otherProblem(failure(422, { details }), { scopes: 'scopes', plan: 'plan' }, true)).toBeUndefined();
  });

  it('keeps only the problems that no field of the form shows', () => {
    expect(otherProblem(failure(422, { details }), { scopes: 'scopes' }, true)).toMatchObject({
      text: 'The server reports (this).',
      details: ['plan: at no field'],
    });
    expect(otherProblem(failure(409), { scopes: 'scopes' }, true)).toMatchObject({
      title: 'The state has changed',
    });
  });
});

describe('fieldProblems', () => {
  const details = [
    { field: 'tables[0].columns.email', message: 'first' },
    { field: 'tables[0].columns.name', message: 'second' },
    { field: 'tables', message: 'third' },
    { field: 'scopes[2]', message: 'fourth' },
    { field: 'scopesX', message: 'unknown' },
  ];

  it('assigns a problem to the longest known path, and keeps the first one of a field', () => {
    expect(
      fieldProblems(failure(422, { details }), {
        'tables[0].columns': 'columns',
        tables: 'tables',
        scopes: 'scopes',
      }),
    ).toEqual({ columns: 'first', tables: 'third', scopes: 'fourth' });
  });

  it('returns nothing for an error without fields', () => {
    expect(fieldProblems(new Error('x'), { name: 'name' })).toEqual({});
  });
});
