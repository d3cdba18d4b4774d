import { code, table } from '../generators-page/markdown.js';
import { VERSIONS } from './versions-run.js';
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
    '## Versions',
    ...VERSIONS,
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
