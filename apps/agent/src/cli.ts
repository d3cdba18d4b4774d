#!/usr/bin/env node
import { resolve } from 'node:path';

import { VariablesFileError } from '@understudy/operator-commands';
import { CommanderError } from 'commander';

import { EXIT } from './commands/manual.js';
import { program } from './commands/program.js';
import { ConfigurationError, environmentVariable } from './config/environment.js';
import { explainStateError } from './state/explain-state-error.js';

program()
  .parseAsync()
  .catch((error: unknown) => {
    process.exitCode = reportError(error);
  });

/** Prints an error without a stack. @returns the exit code */
function reportError(thrown: unknown): number {
  const error = explainStateError(thrown, resolve(environmentVariable('UNDERSTUDY_AGENT_STATE_DIR') ?? ''));
  // Commander has already printed its error. Requested help arrives here with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof ConfigurationError || error instanceof VariablesFileError
    ? EXIT.configuration
    : EXIT.internal;
}
