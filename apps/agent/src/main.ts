import 'reflect-metadata';

import pino from 'pino';

import { readAgentConfiguration, ConfigurationError } from './config/agent-configuration.js';
import { EnrolmentError } from './identity/enrolment-client.js';
import { JournalWriteError } from './journal/egress-journal.js';
import { startAgent } from './start-agent.js';
import { StateFolderInUseError } from './state/state-folder-lock.js';

/** The exit code after an error that the operator can fix. Such an error is logged in one line, without a stack. */
function exitCode(error: unknown): number | undefined {
  if (error instanceof ConfigurationError || error instanceof EnrolmentError) return 78;
  if (error instanceof StateFolderInUseError) return 75;
  if (error instanceof JournalWriteError) return 1;
  return undefined;
}

function die(error: unknown): void {
  const log = pino(pino.destination({ sync: true }));
  const code = exitCode(error);
  if (code !== undefined) log.fatal((error as Error).message);
  else log.fatal({ err: error }, 'the agent stops after an unexpected error');
  process.exit(code ?? 1);
}

async function main(): Promise<void> {
  const app = await startAgent(readAgentConfiguration(), die);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT']);
}

main().catch(die);
