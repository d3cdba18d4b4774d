import { warningOf, warningsOf } from './warning-message.js';

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
  'rule_outdated',
  'restarted_from_zero',
  'result_unknown',
  'waited_for_job',
  'waited_for_lock',
  'definition_copied',
  'rewritten_without_pg_dump',
  'old_statistics_kept',
  'object_skipped',
  'extension_version_differs',
  'public_comment_not_copied',
  'target_only_dropped',
  'owner_not_given',
  'privilege_not_given',
  'privilege_missing',
  'role_missing',
  'setting_not_given',
  'security_definer_removed',
  'personal_definitions',
  'subscriptions_not_copied',
  'publications_not_copied',
  'security_labels_not_copied',
  'user_mappings_not_copied',
  'trigger_omitted',
  'rule_omitted',
  'policy_omitted',
  'constraint_omitted',
  'index_omitted',
  'default_omitted',
  'generation_omitted',
  'statistics_omitted',
  'sequence_unknown',
  'sequence_name_dynamic',
  'sequence_options_differ',
  'orphans_skipped',
  'orphans_kept',
  'dependent_left_out',
  'not_null_names_lost',
  'partition_identity_lost',
])('warningOf keeps the code %s', (code) => {
  expect(warningOf({ code }, NAMES).code).toBe(code);
});

test('warningsOf names all tables whose definitions are copied in one message', () => {
  const names = {
    ...NAMES,
    table: (index: number | undefined) => (index === undefined ? undefined : `t${index}`),
  };
  const copied = Array.from({ length: 52 }, (_, tableIndex) => ({ code: 'definition_copied', tableIndex }));
  const warnings = warningsOf([{ code: 'waited_for_job' }, ...copied, { code: 'waited_for_lock' }], names);
  expect(warnings.map(({ code }) => code)).toEqual([
    'waited_for_job',
    'definition_copied',
    'waited_for_lock',
  ]);
  expect(warnings[1]?.message).toMatch(
    /^The definitions of the tables "t0", "t1", .*"t49" and 2 more will be/,
  );
  expect(warningsOf(copied.slice(0, 1), names)).toEqual([
    warningOf({ code: 'definition_copied', tableIndex: 0 }, names),
  ]);
});

test.each([
  [{ tableIndex: 0 }, / for table "[^"]+" could not be tried/],
  [{ count: 1 }, / for 1 more table could not be tried/],
  [{ count: 3 }, / for 3 more tables could not be tried/],
])('names or counts the tables that were not tried: %j', (warning, message) => {
  expect(warningOf({ code: 'definition_not_tried', ...warning }, NAMES).message).toMatch(message);
});

test.each([
  [
    { object: { kind: 'relation', schema: 'public', name: 'v' } },
    'Relation "public"."v" of the source depends on',
  ],
  [{ object: { kind: 'function' } }, 'An object of the source depends on'],
  [{ count: 1 }, '1 further object of the source depends on'],
  [{ count: 2 }, '2 further objects of the source depend on'],
])('names or counts the objects that depend on tables of the job: %j', (warning, message) => {
  expect(warningOf({ code: 'dependent_left_out', ...warning }, NAMES).message).toContain(message);
});
