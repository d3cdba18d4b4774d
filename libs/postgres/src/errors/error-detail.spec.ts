import { errorDetail, withRowValues } from './error-detail.js';

/** Returns an error like those of pg. */
function serverError(code: string, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { severity: 'ERROR', code, ...more });
}
const DUPLICATE = serverError('23505', 'duplicate key value violates unique constraint "t_pkey"', {
  detail: 'Key (email)=(canary@example.com) already exists.',
  where: 'COPY t, line 3: "canary@example.com"',
  table: 't',
});
const RAISED = serverError('P0001', 'no canary here', {
  hint: 'canary',
  where: 'PL/pgSQL function f(text) canary',
});
/** An error of PL/pgSQL whose fields the function has chosen. The class of its SQLSTATE is one of plain messages. */
const INVENTED = serverError('42883', 'canary', {
  ...{ hint: 'canary', schema: 'canary', table: 'canary', column: 'canary', constraint: 'canary' },
  where: 'PL/pgSQL function f(text) line 1 at RAISE\nCOPY t, line 1: "1\tx"',
});
/** A message that quotes a value, such as a text that a CHECK casts to a type of names or queries. */
const VALUE = (code: string, message: string) => serverError(code, message, { where: 'COPY t, line 1' });
const PROGRAM = Object.assign(new Error('a program of PostgreSQL has failed'), {
  stderr: [
    'pg_restore: error: COPY failed for table "t": ERROR:  duplicate key value canary',
    'DETAIL:  Key (email)=(canary@example.com) already exists.',
    'CONTEXT:  COPY t, line 1: "canary"',
    'pg_restore: error: COPY failed for table "t": FEHLER:  ungültige Eingabesyntax für Typ integer: »canary«',
    'pg_dump: error: query failed: ERROR:  permission denied for table t',
  ].join('\n'),
});

const isKnown = (name: string) => name === 't';

describe('errorDetail', () => {
  it.each([
    ['a violated constraint', DUPLICATE],
    ['an invalid value', serverError('22P02', 'invalid input syntax for type integer: "canary"')],
    ['an error that a user-defined function raises', RAISED],
    ['an error whose names and code a user-defined function invents', INVENTED],
    ['a value that is no query', serverError('42601', 'syntax error in tsquery: "canary"')],
    ['a value that names a table', VALUE('42P01', 'relation "canary" does not exist')],
    ['a value that names a role', VALUE('42704', 'role "canary" does not exist')],
    ['a value that names a function', VALUE('42883', 'function "canary" does not exist')],
    ['a value that names a schema', VALUE('3F000', 'schema "canary" does not exist')],
    ['an error with an invented code', serverError('CANAR', 'x', { where: 'PL/pgSQL function f(text)' })],
    ['the output of pg_restore', PROGRAM],
    [
      'an error of a failed command',
      Object.assign(new Error('Command failed: pg_dump\ncanary'), { stderr: 'canary' }),
    ],
    ['a cause', new Error('the job failed', { cause: DUPLICATE })],
  ])('does not quote rows of %s', (_, error) => {
    expect(JSON.stringify(errorDetail(error, isKnown))).not.toMatch(/canar/i);
  });

  it('contains the code, the table and a message that quotes no row', () => {
    expect(errorDetail(new Error('the job failed', { cause: DUPLICATE }), isKnown)).toMatchObject([
      { message: 'the job failed' },
      { code: '23505', table: 't', message: 'withheld: it may quote a row' },
    ]);
    const several = new AggregateError([new Error('first'), new Error('second', { cause: DUPLICATE })]);
    expect(
      errorDetail(new Error('the job failed', { cause: several })).map(({ message }) => message),
    ).toEqual(['the job failed', 'first', 'second', 'withheld: it may quote a row']);
    expect(errorDetail(serverError('42501', 'permission denied for table t'))).toMatchObject([
      { code: '42501', message: 'permission denied for table t' },
    ]);
    const ofStatement = serverError('42P01', 'relation "t" does not exist', { position: '15' });
    expect(errorDetail(ofStatement)).toMatchObject([{ message: 'relation "t" does not exist' }]);
    expect(errorDetail(PROGRAM)[0]?.['stderr']).toContain('ERROR:  permission denied for table t');
  });
});

describe('withRowValues', () => {
  it('restores messages and contexts, but no DETAIL of violated constraints', () => {
    const logged = JSON.stringify(withRowValues({ jobId: 'job_1', detail: errorDetail(DUPLICATE) }, false));
    expect(logged).toContain('job_1');
    expect(logged).toContain('duplicate key value violates unique constraint');
    expect(logged).toContain('line 3');
    expect(logged).not.toContain('already exists');
    expect(JSON.stringify(withRowValues({ detail: errorDetail(PROGRAM) }, false))).not.toContain(
      'already exists',
    );
    expect(JSON.stringify(withRowValues({ detail: errorDetail(RAISED) }, false))).toContain('no canary here');
  });

  it('restores invented names and codes', () => {
    const restored = JSON.stringify(withRowValues({ detail: errorDetail(INVENTED, isKnown) }, false));
    expect(restored.match(/canary/g)).toHaveLength(6);
  });

  it('restores everything if violations are included', () => {
    expect(JSON.stringify(withRowValues({ detail: errorDetail(DUPLICATE) }, true))).toContain(
      'already exists',
    );
  });
});
