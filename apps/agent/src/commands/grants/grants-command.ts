import { Command } from 'commander';

import { withManual } from '../manual.js';

export function grantsCommand(): Command {
  return withManual(
    new Command('grants')
      .description(
        'Prints the SQL that gives the role of a database the least privileges. It executes none of it.',
      )
      .requiredOption('--database <name>', 'the name of the database in the policy file')
      .option(
        '--admin-url-env <variable>',
        'the environment variable with a URL to read the catalogs with, if the role does not exist yet',
      )
      .option('--json', 'print one JSON object')
      .helpOption('-h, --help', 'print this help, with examples')
      .action(async (options: { database: string; adminUrlEnv?: string; json?: boolean }) => {
        const { printGrants } = await import('./print-grants.js');
        process.exitCode = await printGrants(options, {
          out: (text) => process.stdout.write(text),
          note: (line) => process.stderr.write(`${line}\n`),
        });
      }),
    {
      notes: [
        "The roles of the database in the policy file decide which privileges are needed. The user of the database's URL is the role that gets them. A database administrator reviews the SQL, runs it, and sets the role's password.",
        'With a connection, the SQL names the present schemas, owners and tables of superusers. Any user may read these. Without a connection, the SQL is for the schema public and contains lines to complete.',
      ],
      examples: [
        {
          purpose:
            'print the SQL for a role that does not exist yet, and read the catalogs as an administrator',
          run: 'understudy-agent grants --database shop --admin-url-env ADMIN_URL > grants.sql',
        },
        {
          purpose: 'print the SQL without a connection, or for a role that exists',
          run: 'understudy-agent grants --database shop-staging',
        },
      ],
      exitCodes: {
        0: 'the SQL was printed',
        1: 'the policy file has no such database, its role is a superuser, or the URL of --admin-url-env cannot be used',
      },
    },
  );
}
