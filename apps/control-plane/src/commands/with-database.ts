import type { DataSource } from 'typeorm';

import { readDatabaseConfiguration } from '../platform/config/configuration.js';

/**
 * Runs the work of a command with the database of the control plane. Imports the code of the database only now,
 * because loading it takes several times as long as the rest.
 */
export async function withDatabase<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const { openDataSource } = await import('../platform/persistence/data-source.js');
  const dataSource = await openDataSource(readDatabaseConfiguration());
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Prints a line to the standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
