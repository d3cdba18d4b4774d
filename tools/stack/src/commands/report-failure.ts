import { StackError } from '../stack-error.js';

/** Says on stderr what went wrong and what helps, and sets exit code 1. */
export function reportFailure(error: unknown): void {
  process.exitCode ||= 1;
  if (error instanceof StackError)
    process.stderr.write(`\n${error.message}\n${error.hint ? `\n→ ${error.hint}\n` : ''}`);
  else process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
