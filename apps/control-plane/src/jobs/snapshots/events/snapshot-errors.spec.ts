import { FailureCode } from '@understudy/agent-protocol/schema';

import { refusalOf } from '../restores/restore-refusal.js';
import { restoreError, snapshotError } from './snapshot-errors.js';

const CODES = Object.values(FailureCode)
  .filter((code): code is string => typeof code === 'string' && code !== 'UNSPECIFIED')
  .map((code) => code.toLowerCase());
const location = { tableIndex: 0, columnIndex: 0, constraintKind: 'foreign_key', sqlstate: '23503' };

describe('snapshotError', () => {
  it.each(CODES)('has a complete message about a snapshot for %s', (code) => {
    for (const side of ['source', 'target', undefined] as const) {
      const failure = { code, ...location, ...(side === undefined ? {} : { side }) };
      for (const { message } of [snapshotError(failure, ['customers']), restoreError(failure)])
        expect(message).toMatch(/^\S[^]*\.( \(SQLSTATE 23503\))?$/);
      expect(refusalOf(failure).status).toBeGreaterThanOrEqual(409);
    }
  });

  it('treats a code that this version does not know as an internal error of the agent', () => {
    expect(snapshotError({ code: 'of_tomorrow' }, []).code).toBe('internal');
    expect(refusalOf({ code: 'of_tomorrow' }).code).toBe('unavailable');
  });

  it.each([
    'snapshot_not_found',
    'snapshot_corrupt',
    'target_not_empty',
    'target_in_use',
    'same_database',
    'disk_full',
  ])('keeps the failure code %s of a restore and reports it as a conflict', (code) => {
    expect(restoreError({ code }).code).toBe(code);
    expect(refusalOf({ code }).code).toBe('conflict');
  });
});
