import { CommanderError } from 'commander';

import { CliError } from './cli-error.js';
import { EXIT } from './exit-code.js';
import { OutputClosed } from './io/standard-output.js';
import { program } from './program.js';
import { Interrupted } from './terminal/interruption.js';
import { printError, printNote } from './terminal/messages.js';

try {
  await program().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}

/** Prints the error and its hint on stderr, without a stack trace. @returns the exit code */
function reportError(error: unknown): number {
  if (error instanceof OutputClosed) return EXIT.done;
  if (error instanceof Interrupted) return error.exitCode;
  // Commander has already printed its error. Requested help arrives here with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof CliError) {
    for (const line of error.message.split('\n')) printError(line);
    if (error.hint !== undefined) for (const line of error.hint.split('\n')) printNote(`  ${line}`);
    return error.exitCode;
  }
  printError(`internal error: ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.internal;
}
