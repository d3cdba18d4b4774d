import type { Command } from 'commander';
import { ENCRYPTION_NOTE, type Manual, withManual } from '../manual/manual.js';
import { wholeNumber } from '../config/option-values.js';
import { jobFileCommand } from './job-file-options.js';
import type { SyncOptions } from './run-sync.js';

const MANUAL: Manual = {
  notes: [
    'The job file has the fields of the body of POST /v1/sync/jobs, as JSON that may have comments; "name" and the "type" of a database may be left out. A URL in it may be {"url_env": "NAME"} or hold ${NAME}, which is taken from the environment, so that no password need be in the file. "models" ({"custom/names": "names.ngram"}) and "compositions" (["person.json"]) are fields of job files only and name files beside it.',
    'The target is as it was until everything is copied, masked and verified, and then changes at once. Ctrl-C before that leaves it as it was. After a crash, --resume goes on with what is copied: the source is held for five minutes, later the copy begins anew.',
    'New values follow from a masking key, which is made once in the state folder (.understudy beside the job file): a job file with a "seed" gives the same values on machines that share the key (--masking-key-file), and nobody without it can tell from the seed what became of a value. Private models that are trained stay there too.',
    'Progress is shown on a terminal; elsewhere, and with --json, stdout has one JSON object a line. Messages name tables and columns and never a value; what --verbose adds may quote rows.',
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
        "email": { "generator": "template", "pattern": "{{uuid}}@example.com" }, // one for each
        "name": { "generator": "en_US/full_names" }
      }
    }
  ]
}`,
  },
  examples: [
    { says: 'what would happen; nothing is written', run: 'understudy sync job.json --dry-run' },
    { says: 'a masked copy', run: 'understudy sync job.json' },
    { says: 'going on after a crash', run: 'understudy sync job.json --resume' },
    {
      says: 'into another database, for a program that reads along',
      run: "understudy sync job.json --target '${STAGING_URL}' --json > progress.ndjson",
    },
  ],
};

export function syncCommand(): Command {
  const command = jobFileCommand('sync')
    .description(
      'Copies a database to another one with its columns masked, as a job file says, and verifies the copy.',
    )
    .option('--dry-run', 'make every check and write nothing')
    .option('--resume', 'go on with a run that did not come to its end')
    .option(
      '--chunk-mb <n>',
      'about how many megabytes of a table are copied as one unit, which is what a resumed run does not do again',
      wholeNumber(1, 100_000),
      64,
    )
    .option(
      '--lock-wait <seconds>',
      'how long to stand back, in all, for others who use the tables of the target when it is to change',
      wholeNumber(0, 86_400),
      600,
    )
    .action(async (file: string, options: SyncOptions) => {
      // The engine takes a while to load, and help needs none of it.
      const { runSync } = await import('./run-sync.js');
      await runSync(file, options);
    });
  return withManual(command, MANUAL);
}
