import { asApiError } from './as-api-error.js';

describe('asApiError', () => {
  it.each([
    ['53100', 'a full disk'],
    ['53200', 'no memory'],
    ['53300', 'too many connections'],
    ['57014', 'a statement that reached its time limit'],
    ['ECONNREFUSED', 'a server that is down'],
  ])('returns for the code %s of PostgreSQL (%s) a refusal that names PostgreSQL', (code) => {
    const thrown = Object.assign(new Error('could not extend file "base/1/2"'), { driverError: { code } });
    expect(asApiError(thrown)).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('PostgreSQL') as string,
    });
  });
});
