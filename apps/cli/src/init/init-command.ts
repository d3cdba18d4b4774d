import { Command } from 'commander';
import { ENCRYPTION_NOTE, type Manual, withManual } from '../manual/manual.js';
import { type InitOptions, withInitOptions } from './init-options.js';

const MANUAL: Manual = {
  notes: [
    'Looks at names, types and a few rows of every table, proposes a rule for each column that looks personal, tries the rules on the server without writing anything, and writes a job file for "understudy sync" that lists every column. Rows are shown on this terminal and go nowhere else; the file holds none.',
    'It guesses. Read what it left without a rule: that is copied as it is.',
    'Any role that may read the tables will do; what it may not read is listed. A password may stand in the URL, be named in it as ${NAME}, or come from PGPASSWORD; the file holds the name of a variable in its place.',
    ENCRYPTION_NOTE,
  ],
  examples: [
    {
      says: 'propose rules for all tables',
      run: "understudy init 'postgresql://me:${PGPASSWORD}@localhost/shop' --target 'postgresql://me:${PGPASSWORD}@localhost/shop_staging'",
    },
    {
      says: 'one schema, without its logs, with German names',
      run: 'understudy init postgresql://me@localhost/shop --schema crm --exclude "*_log" --locale de_DE --out crm.jsonc',
    },
  ],
};

export function initCommand(): Command {
  const command = new Command('init')
    .description('Reads a database, proposes rules for its personal columns and writes a job file.')
    .argument('[url]', 'the database, as postgresql://user:password@host:5432/database')
    .action(async (url: string | undefined, options: InitOptions) => {
      // The engine takes a while to load, and help needs none of it.
      const { runInit } = await import('./run-init.js');
      await runInit(url, options);
    });
  return withManual(withInitOptions(command), MANUAL);
}
