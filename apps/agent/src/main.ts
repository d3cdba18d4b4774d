import 'reflect-metadata';

import pino from 'pino';

import { readAgentConfiguration, ConfigurationError } from './config/agent-configuration.js';
import { EnrolmentError } from './identity/enrolment-client.js';
import { startAgent } from './start-agent.js';

/** Returns whether the operator can fix the error. Such an error is logged in one line, without a stack. */
function isOperatorError(error: unknown): error is Error {
  return error instanceof ConfigurationError || error instanceof EnrolmentError;
}

function die(error: unknown): void {
  const log = pino(pino.destination({ sync: true }));
  if (isOperatorError(error)) log.fatal(error.message);
  else log.fatal({ err: error }, 'the agent stops after an unexpected error');
  process.exit(isOperatorError(error) ? 78 : 1);
}

async function main(): Promise<void> {
  const app = await startAgent(readAgentConfiguration(), die);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT']);
}

main().catch(die);
