import { code, table } from '../generators-page/markdown.js';
import { type Page, pageIsFresh } from '../pages/page.js';
import { versionsRun } from './versions-run.js';
import { declaredSupport, SUPPORT_SUITE, supportFaults, type Support } from './declared-support.js';

export const SUPPORT_PAGE: Page = { path: 'docs/reference/postgres-support.md', text: supportPage };

/**
 * Checks the committed page.
 * @returns the number of its rows
 * @throws Error if `supportFaults` finds a problem, or if the page differs from the generated one
 */
export async function supportPageHolds(root: string): Promise<string> {
  const faults = supportFaults(root);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await pageIsFresh(root, SUPPORT_PAGE);
  return `${declaredSupport(root).length} rows`;
}

/** Builds docs/reference/postgres-support.md. Each of its rows is a test of the suite. */
export function supportPage(root: string): string {
  const rows = declaredSupport(root);
  const sections = [...new Set(rows.map(({ section }) => section))];
  return [
    '# PostgreSQL features in a sync job',
    `<!-- Written by \`npm run generate\` from ${SUPPORT_SUITE}. Do not edit. -->`,
    'Look up here whether a sync job copies a feature of your schema. For each feature that it does not copy, the table describes what happens instead. If a job fails, the target is unchanged.',
    `Each row below the section Versions is one test of ${code(SUPPORT_SUITE)}. Most tests use one source with all of these features, and two jobs without masking rules. In these tests, **copied** means:`,
    `- The first job creates the tables. After it, ${code('pg_dump --schema-only')} and ${code('pg_dump --data-only')} (with sorted rows) print the same for the target as for the source.\n` +
      `- The second job replaces the rows of existing tables. After it, ${code('pg_dump --data-only')} prints the same as for the source, and the definitions of the tables have not changed.`,
    'These tests do not compare owners, privileges and the values of sequences. Other rows, such as those for sequences and masking rules, have tests of their own.',
    '## Versions',
    ...versionsRun(root),
    ...sections.flatMap((section) => [
      `## ${section}`,
      table(
        ['feature', 'result'],
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
  return instead ?? 'copied';
}
