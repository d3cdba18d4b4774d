import type { Command } from 'commander';

import { readDatabaseConfiguration } from '../../platform/config/configuration.js';
import { print } from '../with-database.js';

/**
 * Adds the command that brings the database schema up to date. Containers and services run it before each start, because
 * it changes nothing if the schema is already up to date.
 */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .addHelpText('after', '\nExample:\n  $ understudy-control-plane migrate')
    .action(async () => {
      const { migrate } = await import('../../platform/persistence/migrate.js');
      const applied = await migrate(readDatabaseConfiguration());
      print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
    });
}
