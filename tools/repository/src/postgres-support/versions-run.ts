import { code, table } from '../generators-page/markdown.js';

/** What was run on which version. Debian's is run with every change, the others by hand: CONTRIBUTING.md says how. */
export const VERSIONS: readonly string[] = [
  'Servers from 14 to 18 are accepted. 15, the one that Debian 12 has, is run with every change. The others were run by hand with the same tests, as CONTRIBUTING.md tells: passed, and in ' +
    'brackets skipped because the server is too old for the row.',
  table(
    ['source → target', 'pg_dump', 'this page', 'other suites'],
    [
      [
        '14.23',
        '15.18',
        '86 (12)',
        'in part: verification, samples, chunks, a snapshot’s round trip, sync of the CLI',
      ],
      ['15.18', '15.18', '88 (10)', 'all, with every change'],
      ['16.14', '17.11', '89 (9)', 'not run'],
      ['17.11', '17.11', '91 (7)', 'not run'],
      [
        '18.6',
        '18.6',
        '97 (1)',
        'sync-engine (232 of 234; the two tests were mended), snapshot-engine, sync and init of the CLI',
      ],
      ['14.23 → 18.6', '18.6', '84 (12), 2 differ in a definition', 'not run'],
      ['18.6 → 15.18', '18.6', '84 (9), 5 differ in a definition', 'not run'],
      ['15.18 → 17.11', '17.11', '87 (10), 1 differs in a definition', 'not run'],
    ],
  ),
  'What differs is how servers tell of the same thing, in tables that were missing: those from 17 write `kn` for the `kn-true` of an ICU collation, and those from 18 name NOT NULL, which older ones do not. All rows were the ' +
    'same.',
  `Definitions are made by the pg_dump of the source, its major version or a newer one. A target that is older than the source may not know what the source defines; the job then ends with ${code('create_failed')}. ` +
    'A row that names a version is about what servers know since then.',
];
