import {
  failureDefinition,
  failureError,
  type MessageSet,
  type Names,
  type SyncFailure,
} from '@understudy/sync-job';
import { EXIT, type ExitCode } from '../../exit-code.js';

/** Returns the exit code for a failure of the engine, or for a code of another version. */
export function failureExitCode(code: string | undefined): ExitCode {
  return EXIT[failureDefinition(code ?? '')?.exit ?? 'refused'];
}

/** Returns a failure's message, then one line for each problem with its location in the job file. */
export function failureLines(failure: SyncFailure, names: Names, messages: MessageSet): string {
  const { message, details } = failureError(failure, names, messages);
  const isRepeated = details.length === 1 && details[0]?.message === message;
  const lines = isRepeated ? [] : details.map((detail) => `${detail.field}: ${detail.message}`);
  return [message, ...lines].join('\n');
}
