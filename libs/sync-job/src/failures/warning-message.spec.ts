import { warningOf } from './warning-message.js';

const NAMES = {
  table: (index?: number) => (index === 0 ? 'files' : undefined),
  column: (_: number | undefined, index?: number) => (index === 0 ? 'body' : undefined),
};

describe('the warning about large objects', () => {
  const code = 'large_objects_skipped';
  const messageOf = (location: object) => warningOf({ code, ...location }, NAMES).message;

  it('names the column that may refer to large objects', () => {
    expect(messageOf({ tableIndex: 0, columnIndex: 0 })).toContain(
      'The large objects that column "body" of table "files" refers to',
    );
  });

  it('names only the table if the job does not list the column', () => {
    expect(messageOf({ tableIndex: 0 })).toContain(
      'The large objects that a column of table "files" refers to',
    );
  });

  it('states that no preserved column is of type oid if the warning names no column', () => {
    expect(messageOf({})).toContain('No preserved column');
  });
});

it.each([
  'foreign_key_skipped',
  'value_truncated',
  'unique_scarce',
  'restarted_from_zero',
  'waited_for_job',
  'waited_for_lock',
  'definition_copied',
  'rewritten_without_pg_dump',
])('warningOf keeps the code %s', (code) => {
  expect(warningOf({ code }, NAMES).code).toBe(code);
});
