import { failureIn } from './guard.js';
import { sqlName } from '@understudy/postgres';

const error = (code: string, more: object = {}) =>
  Object.assign(new Error('secret'), { severity: 'ERROR', code, ...more });

describe('failureIn', () => {
  it.each([
    ['23502', { code: 'constraint_violation', constraintKind: 'not_null' }],
    ['23505', { code: 'constraint_violation', constraintKind: 'unique' }],
    ['23503', { code: 'constraint_violation', constraintKind: 'foreign_key' }],
    ['23514', { code: 'constraint_violation', constraintKind: 'check' }],
    ['23P01', { code: 'constraint_violation', constraintKind: 'exclusion' }],
    ['22P02', { code: 'value_invalid' }],
    ['22001', { code: 'value_invalid' }],
    ['42501', { code: 'permission_denied' }],
    ['53100', { code: 'disk_full' }],
    ['53300', { code: 'sessions_exhausted' }],
    ['53400', { code: 'disk_full' }],
    ['22021', { code: 'encoding_invalid' }],
    ['22P05', { code: 'encoding_invalid' }],
    ['08006', { code: 'connection_lost' }],
    ['57P01', { code: 'connection_lost' }],
    ['55P03', { code: 'lock_timeout' }],
  ])('maps SQLSTATE %s to the failure %j', (sqlstate, expected) => {
    expect(failureIn({ side: 'target' }, error(sqlstate))).toEqual({
      ...expected,
      side: 'target',
      sqlstate,
    });
  });

  it.each([
    ['lock.c', 'locks_exhausted'],
    ['src/backend/storage/lmgr/lock.c', 'locks_exhausted'],
    ['mcxt.c', 'memory_exhausted'],
    ['block.c', 'memory_exhausted'],
    [undefined, 'memory_exhausted'],
  ])('distinguishes a full lock table from missing memory by the file %s of the server', (file, code) => {
    expect(failureIn({ side: 'source' }, error('53200', { file }))).toEqual({
      ...{ code, side: 'source', sqlstate: '53200' },
    });
  });

  it('prefers the table that the error names to the table of the context', () => {
    const context = { side: 'target' as const, tableIndex: 0, tableIndexOf: () => 3 };
    expect(failureIn(context, error('23505', { schema: 's', table: 't' })).tableIndex).toBe(3);
    expect(failureIn(context, error('23505')).tableIndex).toBe(0);
  });

  it('does not report an SQLSTATE that a trigger has invented', () => {
    expect(failureIn({ side: 'target' }, error('ANN42'))).toEqual({
      code: 'database_error',
      side: 'target',
    });
  });

  it('names a constraint from the catalogs, and none that a trigger has invented', () => {
    const context = {
      side: 'target' as const,
      tableIndex: 0,
      constraintOf: (name: string) => (name === 'adult' ? sqlName(name) : undefined),
    };
    const violation = {
      code: 'constraint_violation',
      side: 'target',
      tableIndex: 0,
      constraintKind: 'check',
    };
    expect(failureIn(context, error('23514', { constraint: 'adult' }))).toEqual({
      ...{ ...violation, sqlstate: '23514', problemCount: 1 },
      problems: [{ ...violation, constraint: 'adult' }],
    });
    expect(failureIn(context, error('23514', { constraint: 'secret' }))).toEqual({
      ...violation,
      sqlstate: '23514',
    });
  });

  it('reports an error without a severity as a lost connection', () => {
    expect(failureIn({ side: 'source' }, new Error('read ECONNRESET'))).toEqual({
      code: 'connection_lost',
      side: 'source',
    });
  });
});
