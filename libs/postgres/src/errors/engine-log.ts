/**
 * Where the engine tells the operator of its own machine what no report may hold: details quote row values, names and messages of the
 * server. Never passwords.
 */
export interface EngineLog {
  error(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
  debug(facts: object, message: string): void;
}
