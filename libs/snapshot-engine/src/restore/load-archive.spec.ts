import { hasOnlyUnknownTimeouts, isUnknownTimeout } from './load-archive.js';

const ended = (error: string) =>
  `pg_restore: executing SELECT pg_catalog.set_config('search_path', '', false);\npg_restore: while INITIALIZING:\npg_restore: error: ${error}\nCommand was: …`;
const ignored = (count: number) => `Command was: …\npg_restore: warning: errors ignored on restore: ${count}`;

describe('the error of pg_restore about an unknown time-out', () => {
  it('is recognized among other errors', () => {
    expect(
      isUnknownTimeout(
        ended('could not execute query: ERROR:  unrecognized configuration parameter "transaction_timeout"'),
      ),
    ).toBe(true);
    for (const other of [
      'could not execute query: ERROR:  unrecognized configuration parameter "idle_session_timeout"',
      'could not execute query: ERROR:  relation "transaction_timeout" already exists',
      'COPY failed for table "transaction_timeout": ERROR:  unrecognized configuration parameter "transaction_timeout"',
    ])
      expect(isUnknownTimeout(ended(other))).toBe(false);
  });

  it('counts as the only error if pg_restore reports exactly the number of errors that it causes', () => {
    expect(hasOnlyUnknownTimeouts(ignored(2), 4)).toBe(true);
    expect(hasOnlyUnknownTimeouts(ignored(1), 1)).toBe(true);
    expect(hasOnlyUnknownTimeouts(ignored(3), 4)).toBe(false);
    expect(hasOnlyUnknownTimeouts(ignored(2), 1)).toBe(false);
    expect(hasOnlyUnknownTimeouts(ended('could not read from input file: end of file'), 4)).toBe(false);
  });
});
