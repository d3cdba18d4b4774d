import type { Command } from 'commander';
import { ENCRYPTION_NOTE, type Manual, withManual } from '../manual/manual.js';
import { wholeNumber } from '../config/option-values.js';
import { jobFileCommand } from './job-file-options.js';
import type { SyncOptions } from './run-sync.js';

const MANUAL: Manual = {
  notes: [
    'The job file is JSON with the fields of POST /v1/sync/jobs, and may contain comments. The fields "name" and "type" are optional. To keep passwords out of the file, write a URL as {"url_env": "NAME"}, or put ${NAME} into it: both read an environment variable. Only job files have the fields "models" ({"custom/names": "names.ngram"}) and "compositions" (["person.json"]). Their paths are relative to the job file.',
    'The target stays unchanged until everything is copied, masked and verified. Then all tables change in one transaction. If you press Ctrl-C before that, the target stays unchanged. After a crash, --resume continues the run. The snapshot of the source is kept for five minutes after a crash; later, --resume copies all tables again.',
    'With "replace": "database", the job replaces the whole target by a masked copy of the source. It builds the copy in a new database, in sessions of a second login ("build_connection_string" of "target"), then renames both databases. The old one is kept, so that "understudy revert" can bring it back. Each table needs rules for all of its columns, {"rows": "preserve", "columns": [...]}, or {"rows": "none"}. "drop_target_only": true permits to drop objects that only the target has. "template" of "target" names a database with extensions from which the new one is created.',
    'A job that replaces a database may do some things only if the job file permits them by "allow_security_definer", "allow_large_objects", "allow_foreign_servers" or "allow_end_sessions". "max_database_bytes" limits the size of the new database. These fields are keys of the policy of an agent, too. A dry run lists them with their values.',
    'Masked values depend on a masking key, which the first run creates in the state folder (.understudy in the folder of the job file). A job file with a "seed" gives the same values on all machines that share the key (--masking-key-file). The seed does not reveal original values without the key. The state folder also keeps the private models that runs train.',
    'On a terminal, the command shows progress. Otherwise, or with --json, it prints one JSON object per line on stdout, unless --progress plain asks for text. A line about the progress has only the tables that changed since the line before. Messages contain names of tables and columns, but no values. The output of --verbose may quote rows.',
    ENCRYPTION_NOTE,
  ],
  listing: {
    file: 'job.json',
    text: `{
  "source": { "connection_string": "postgresql://app:\${PGPASSWORD}@db.example.com/shop" },
  "target": { "url_env": "TARGET_URL" },
  "unlisted_columns": "reject",
  "tables": [
    {
      "name": "customers",
      "columns": {
        "id": { "preserve": true },
        "email": { "generator": "template", "pattern": "{{uuid}}@example.com" }, // unique addresses
        "name": { "generator": "en_US/full_names" }
      }
    }
  ]
}`,
  },
  examples: [
    { purpose: 'check the job without writing anything', run: 'understudy sync job.json --dry-run' },
    { purpose: 'make a masked copy', run: 'understudy sync job.json' },
    { purpose: 'continue after a crash', run: 'understudy sync job.json --resume' },
    {
      purpose: 'copy into another database and print progress for a program',
      run: "understudy sync job.json --target '${STAGING_URL}' --json > progress.ndjson",
    },
  ],
};

export function syncCommand(): Command {
  const command = jobFileCommand('sync')
    .description(
      'Copies tables to another database, masks their columns by the rules of a job file, and verifies the copy.',
    )
    .option('--dry-run', 'run every check and write nothing to the databases')
    .option('--resume', 'continue a run that did not finish')
    .option('--yes', 'replace tables that have rows without a question, which only a terminal gets')
    .option(
      '--chunk-mb <n>',
      'approximate size of the units that tables are copied in; a resumed run skips finished units',
      wholeNumber(1, 100_000),
      64,
    )
    .option(
      '--lock-wait <seconds>',
      'how long to retry, in total, if other sessions lock tables of the target',
      wholeNumber(0, 86_400),
      600,
    )
    .action(async (file: string, options: SyncOptions) => {
      // The engine takes a while to load and help does not need it, so it is loaded here.
      const { runSync } = await import('./run-sync.js');
      await runSync(file, options);
    });
  return withManual(command, MANUAL);
}
