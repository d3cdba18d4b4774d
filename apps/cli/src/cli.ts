import { CommanderError } from 'commander';

import { CliError } from './cli-error.js';
import { EXIT } from './exit-code.js';
import { OutputClosed } from './io/standard-output.js';
import { program } from './program.js';

try {
  await program().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Says what went wrong, without a stack. @returns the exit code */
function report(error: unknown): number {
  if (error instanceof OutputClosed) return EXIT.done;
  // Commander has said it already; help that was asked for has exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof CliError) {
    for (const line of error.message.split('\n')) process.stderr.write(`understudy: ${line}\n`);
    return error.exitCode;
  }
  process.stderr.write(
    `understudy: an internal fault: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  return EXIT.internal;
}
