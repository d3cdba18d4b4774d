import { type EngineLog, withRowValues } from '@understudy/postgres';
import { printWarning } from '../../terminal/messages.js';

/**
 * Returns a log that prints on stderr. Without `verbose`, prints only the messages of warnings. With `verbose`, prints
 * every entry with all facts of an error, which may quote rows: the option's help mentions this.
 * @param before is called before anything is printed
 */
export function localLog(verbose: boolean, before: () => void): EngineLog {
  const printer =
    (level: string) =>
    (facts: object, message: string): void => {
      if (!verbose) return;
      before();
      process.stderr.write(`${level}: ${message} ${JSON.stringify(withRowValues(facts, true))}\n`);
    };
  const warn = printer('warning');
  return {
    error: printer('error'),
    warn: (facts, message) => {
      before();
      if (verbose) warn(facts, message);
      else printWarning(message);
    },
    info: printer('info'),
    debug: printer('debug'),
  };
}
