import { ensureBinaries } from '../provision/ensure-binaries.js';
import type { PostgresBinaries } from '../provision/service-binaries.js';
import { probePostgres } from '../services/probes.js';
import { StackError } from '../stack-error.js';
import { stackFolder, type StackOptions } from './stack-options.js';
import { readState } from './stack-state.js';

/** The stack's server for source and target databases, and the client programs for it. @throws StackError when it is down */
export async function runningDatabases(
  options: StackOptions,
): Promise<{ databasesUrl: string; binaries: PostgresBinaries }> {
  const folder = stackFolder(options);
  const databasesUrl = readState(folder)?.databasesUrl;
  try {
    if (databasesUrl === undefined) throw new Error('there was never a stack');
    await probePostgres(`${databasesUrl}/postgres`);
    const { postgres } = await ensureBinaries({
      services: ['postgres'],
      ...(options.say && { say: options.say }),
    });
    return { databasesUrl, binaries: postgres };
  } catch (cause) {
    if (cause instanceof StackError) throw cause;
    throw new StackError('stack.not_running', `no stack runs in ${folder}`, 'start it: npm run stack -- up', {
      cause,
    });
  }
}
