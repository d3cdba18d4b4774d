import { code, table } from '../generators-page/markdown.js';
import { declaredSupport, SUPPORT_SUITE, type Support } from './declared-support.js';

/** docs/postgres-support.md: what becomes of everything that a schema may hold, each row a test. */
export function supportPage(root: string): string {
  const rows = declaredSupport(root);
  const sections = [...new Set(rows.map(({ section }) => section))];
  return [
    '# What a sync job carries',
    `<!-- Written by \`npm run generate\` from ${SUPPORT_SUITE}. Do not edit. -->`,
    `Each row is one test of ${code(SUPPORT_SUITE)}. **Holds** means: a job over a source with all of these, without rules, gave targets whose ${code('pg_dump --data-only')} ` +
      `(rows sorted) is the source's, once into missing tables, whose ${code('pg_dump --schema-only')} is the source's too, and once over existing tables, whose definitions were the same ` +
      'before and after. Owners and privileges are left out of both; sequences have a row of their own.',
    'A row that does not hold says what happens instead. An error ends a job with the target as it was.',
    '**Versions.** These tests were run on PostgreSQL 15, the one that Debian 12 has. Servers from 14 to 18 are accepted: the catalogs that the agent reads have had these columns ' +
      'since 14, and definitions are made by the pg_dump of the source (its major version or a newer one). 14, 16, 17 and 18 themselves were not run. A target that is older than the ' +
      'source may not know what the source defines; the job then ends with `create_failed`.',
    ...sections.flatMap((section) => [
      `## ${section}`,
      table(
        ['', 'state'],
        rows.filter((row) => row.section === section).map((row) => [featureOf(row), stateOf(row)]),
      ),
    ]),
    '',
  ].join('\n\n');
}

function featureOf({ feature, since }: Support): string {
  return since === undefined ? feature : `${feature} (servers from ${since})`;
}

function stateOf({ instead }: Support): string {
  return instead ?? 'holds';
}
