import { type EngineLog, withRowValues } from '@understudy/postgres';
import { printWarning } from '../../terminal/messages.js';

/**
 * What the engine tells, on stderr. Without `verbose` only the sentences of warnings. With it all of an error, rows
 * that it quotes too: it is the user's own machine, and an option that says so.
 * @param before called before anything is written
 */
export function localLog(verbose: boolean, before: () => void): EngineLog {
  const tell =
    (level: string) =>
    (facts: object, message: string): void => {
      if (!verbose) return;
      before();
      process.stderr.write(`${level}: ${message} ${JSON.stringify(withRowValues(facts, true))}\n`);
    };
  const warn = tell('warning');
  return {
    error: tell('error'),
    warn: (facts, message) => {
      before();
      if (verbose) warn(facts, message);
      else printWarning(message);
    },
    info: tell('info'),
    debug: tell('debug'),
  };
}
