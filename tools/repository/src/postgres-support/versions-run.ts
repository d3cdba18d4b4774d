import { code, table } from '../generators-page/markdown.js';

/** What was run on which version. Debian's is run with every change, the others by hand: CONTRIBUTING.md says how. */
export const VERSIONS: readonly string[] = [
  'Servers from 14 to 18 are accepted. 15, the one that Debian 12 has, is run with every change. The others were run by hand with the same tests, as CONTRIBUTING.md tells: passed, and in ' +
    'brackets skipped because the server is too old for the row.',
  table(
    ['source and target', 'pg_dump', 'this page', 'other suites'],
    [
      [
        '14.23',
        '15.18',
        'all but the two rows that triggers of partitions broke; mended since, and those triggers run again',
        'in part, on a busy machine: takeover, failures, keys, staging, leftovers, subsets, creating, preflight, replacing, dry runs passed; snapshots but for one test that ran out of time',
      ],
      ['15.18', '15.18', '88 (10)', 'all, with every change'],
      ['16.14', '17.11', '89 (9)', 'not run'],
      ['17.11', '17.11', '91 (7)', 'not run'],
      ['18.6', '18.6', '97 (1)', 'all of sync-engine and snapshot-engine, sync and init of the CLI'],
    ],
  ),
  'Between versions, before arrays of an extension’s type were mended: 14 → 18, 18 → 15 and 15 → 17 held into missing tables, and were refused over existing ones for such a column. After it ' +
    '14 → 18 and 18 → 15 were run with the values, extensions, partitions, triggers and policies of this page, both ways, and held but for the names of NOT NULL, which servers before 18 do not keep; the whole page was not run between versions again.',
  `Definitions are made by the pg_dump of the source, its major version or a newer one. A target that is older than the source may not know what the source defines; the job then ends with ${code('create_failed')}. ` +
    'A row that names a version is about what servers know since then.',
];
