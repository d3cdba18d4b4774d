import { ensureBinaries } from '@understudy/testing/provision';
import { LocalSystemError, type PostgresBinaries, probePostgres, readState } from '@understudy/local-system';
import { stackFolder, type StackOptions } from './stack.js';

/**
 * @returns the stack's server for source and target databases, and client programs for it
 * @throws LocalSystemError if the server does not run
 */
export async function runningDatabases(
  options: StackOptions,
): Promise<{ databasesUrl: string; binaries: PostgresBinaries }> {
  const folder = stackFolder(options);
  const databasesUrl = readState(folder)?.databasesUrl;
  try {
    if (databasesUrl === undefined) throw new Error('no stack was ever started in this folder');
    await probePostgres(`${databasesUrl}/postgres`);
    const { postgres } = await ensureBinaries({
      services: ['postgres'],
      ...(options.log && { log: options.log }),
    });
    return { databasesUrl, binaries: postgres };
  } catch (cause) {
    if (cause instanceof LocalSystemError) throw cause;
    const hint = 'start it: npm run stack -- up';
    throw new LocalSystemError('system.not_running', `found no running stack in ${folder}`, hint, { cause });
  }
}
