import { warningOf } from './warning-message.js';

const NAMES = {
  table: (index?: number) => (index === 0 ? 'files' : undefined),
  column: (_: number | undefined, index?: number) => (index === 0 ? 'body' : undefined),
};

describe('a remark about large objects', () => {
  const code = 'large_objects_skipped';
  const messageOf = (place: object) => warningOf({ code, ...place }, NAMES).message;

  it('names the column that may name some', () => {
    expect(messageOf({ tableIndex: 0, columnIndex: 0 })).toContain(
      'What column "body" of table "files" names',
    );
  });

  it('names the table alone when the job does not list the column', () => {
    expect(messageOf({ tableIndex: 0 })).toContain('What a column of table "files" names');
  });

  it('says that no column is one when there is none', () => {
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
])('a remark of the code %s is known by it', (code) => {
  expect(warningOf({ code }, NAMES).code).toBe(code);
});
