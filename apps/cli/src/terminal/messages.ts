import { coloursOf } from './colours.js';

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line of an error on stderr. */
export function printError(line: string): void {
  process.stderr.write(`${coloursOf(process.stderr).red('understudy:')} ${line}\n`);
}

/** Prints a warning on stderr. The command continues. */
export function printWarning(line: string): void {
  process.stderr.write(`${coloursOf(process.stderr).yellow('warning:')} ${line}\n`);
}

/** Prints any other line on stderr. */
export function printNote(line: string): void {
  process.stderr.write(`${line}\n`);
}
