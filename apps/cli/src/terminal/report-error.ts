import { CommanderError } from 'commander';

import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import { OutputClosed } from '../io/standard-output.js';
import { coloursOf } from './colours.js';
import { Interrupted } from './interruption.js';

/** Says on stderr what went wrong and what to do, without a stack. @returns the exit code */
export function reportError(error: unknown): number {
  if (error instanceof OutputClosed) return EXIT.done;
  if (error instanceof Interrupted) return error.exitCode;
  // Commander has said it already; help that was asked for has exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof CliError) {
    for (const line of error.message.split('\n')) sayError(line);
    if (error.hint !== undefined)
      for (const line of error.hint.split('\n')) process.stderr.write(`  ${line}\n`);
    return error.exitCode;
  }
  sayError(`an internal fault: ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.internal;
}

export function sayError(line: string): void {
  process.stderr.write(`${coloursOf(process.stderr).red('understudy:')} ${line}\n`);
}

/** Of what goes on all the same. */
export function sayWarning(line: string): void {
  process.stderr.write(`${coloursOf(process.stderr).yellow('warning:')} ${line}\n`);
}
