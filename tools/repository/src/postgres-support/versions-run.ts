import { code, table } from '../generators-page/markdown.js';

/**
 * Results of the suite by version of PostgreSQL. Version 15 is tested with every change. The other versions
 * are tested by hand, as CONTRIBUTING.md describes.
 */
export const VERSIONS: readonly string[] = [
  'PostgreSQL 14 to 18 is supported. Version 15, which Debian 12 has, is tested with every change. The other versions were tested by hand with the same tests (see CONTRIBUTING.md). ' +
    'The column "this page" has the number of passed tests. The number in brackets counts skipped tests: a server was too old for the feature, or the test needs two different versions.',
  table(
    ['source → target', 'pg_dump', 'this page', 'other suites'],
    [
      [
        '14.23',
        '15.18',
        '86 (12)',
        'some: verification, samples, chunks, one snapshot with its restore, `understudy sync`',
      ],
      ['15.18', '15.18', '88 (10)', 'all, with every change'],
      ['16.14', '17.11', '89 (9)', 'not run'],
      ['17.11', '17.11', '91 (7)', 'not run'],
      [
        '18.6',
        '18.6',
        '97 (1)',
        'sync-engine (232 of 234 passed; the other two tests were fixed later), snapshot-engine, `understudy sync` and `init`',
      ],
      ['14.23 → 18.6', '18.6', '84 (12), 2 with a different definition', 'not run'],
      ['18.6 → 15.18', '18.6', '84 (9), 5 with a different definition', 'not run'],
      ['15.18 → 17.11', '17.11', '87 (10), 1 with a different definition', 'not run'],
    ],
  ),
  'If a test found a different definition, only the definition of a table that the job created differed. Versions of PostgreSQL write the same definition differently. Servers from 17 write `kn` for the `kn-true` of an ICU collation. Servers from 18 give names to NOT NULL ' +
    'constraints. All copied rows were equal.',
  `The agent reads definitions with a pg_dump of the source's major version or a newer one. If the target server lacks a feature of a table that the job creates, the job fails with ${code('create_failed')}. ` +
    '"Servers from 15" after a feature means that PostgreSQL has the feature since version 15.',
];
