import { type ConnectionTarget, isPlaintextRemote } from '@understudy/postgres';
import { sayWarning } from '../terminal/report-error.js';

/** Warns once for each database on another machine that the command connects to in plaintext. */
export function warnOfPlaintext(...targets: readonly ConnectionTarget[]): void {
  for (const target of targets.filter(isPlaintextRemote)) {
    sayWarning(
      `the connection to ${target.display} is not encrypted: rows and the password can be read on the network`,
    );
  }
}
