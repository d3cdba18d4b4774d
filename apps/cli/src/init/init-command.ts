import { Command } from 'commander';
import { ENCRYPTION_NOTE, type Manual, withManual } from '../manual/manual.js';
import { type InitOptions, withInitOptions } from './init-options.js';

const MANUAL: Manual = {
  notes: [
    'The command reads the names, types and a few rows of every table and proposes a rule for each column that looks personal. It tries the rules on the database server without writing anything. Then it writes a job file for "understudy sync" that lists every column. Rows are shown only on this terminal; the file contains none.',
    'The proposals are guesses. Check the columns that got no rule: they are copied unchanged.',
    'With --replace database, the file makes a complete copy of the database that replaces the whole target. Tables that no option selects or that the role cannot read are created without rows. The file reads the URL of the second login from BUILD_URL.',
    'The database role needs permission only to read the tables. Tables that it cannot read are listed. The password can be in the URL, in a variable that the URL names as ${NAME}, or in PGPASSWORD. The file contains the name of a variable instead of the password.',
    ENCRYPTION_NOTE,
  ],
  examples: [
    {
      purpose: 'propose rules for all tables',
      run: "understudy init 'postgresql://me:${PGPASSWORD}@localhost/shop' --target 'postgresql://me:${PGPASSWORD}@localhost/shop_staging'",
    },
    {
      purpose: 'propose rules for one schema without its log tables, with German names',
      run: 'understudy init postgresql://me@localhost/shop --schema crm --exclude "*_log" --locale de_DE --out crm.jsonc',
    },
  ],
};

export function initCommand(): Command {
  const command = new Command('init')
    .description('Reads a database, proposes rules for its personal columns and writes a job file.')
    .argument('[url]', 'the database, as postgresql://user:password@host:5432/database')
    .action(async (url: string | undefined, options: InitOptions) => {
      // The engine takes a while to load and help does not need it, so it is loaded here.
      const { runInit } = await import('./run-init.js');
      await runInit(url, options);
    });
  return withManual(withInitOptions(command), MANUAL);
}
