import type { EnvironmentReader } from './environment-reader.js';

/** How the value of an environment variable is written, and what is used if the variable is not set. */
export interface Form<T> {
  /** The default as docs/reference/configuration.md shows it, or `required`. */
  readonly fallback: string;
  /** Whether the variable `<name>_FILE` can have the path of a file with the value. */
  readonly isSecret?: true;
  /**
   * Reads the variable. Records a problem if it is missing or has another form.
   * @param otherwise the default of a variable whose default depends on other variables
   */
  read(reader: EnvironmentReader, name: string, otherwise?: T): T;
}

/** An environment variable, as docs/reference/configuration.md lists it. */
export interface DescribedVariable extends Pick<Form<unknown>, 'fallback'> {
  readonly name: string;
  readonly meaning: string;
}

export interface Variable<T> extends DescribedVariable, Form<T> {}

export const variable = <const N extends string, F extends Form<never> | Form<unknown>>(
  name: N,
  form: F,
  meaning: string,
): F & { readonly name: N; readonly meaning: string } => ({ ...form, name, meaning });

/** Returns a function that reads declared variables. */
export function readerOf(reader: EnvironmentReader) {
  return <T>(declared: Variable<T>, otherwise?: T): T => declared.read(reader, declared.name, otherwise);
}

/** Reads each of the declared variables, in their order. */
export function readAll<V extends Readonly<Record<string, Variable<unknown>>>>(
  reader: EnvironmentReader,
  variables: V,
): { [Name in keyof V]: ReturnType<V[Name]['read']> } {
  const read = Object.entries(variables).map(([key, { name, ...form }]) => [key, form.read(reader, name)]);
  return Object.fromEntries(read) as { [Name in keyof V]: ReturnType<V[Name]['read']> };
}

export const text = (fallback: string, shown = `\`${fallback}\``): Form<string> => ({
  fallback: shown,
  read: (reader, name) => reader.text(name, fallback),
});

/** An integer from `min` to `max`, both included. */
export const integer = (
  min: number,
  max: number,
  fallback: number,
  shown = String(fallback),
): Form<number> => ({
  fallback: shown,
  read: (reader, name, otherwise = fallback) => {
    const value = reader.text(name, String(otherwise));
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    return reader.problem(`${name} must be ${reader.integerNoun} from ${min} to ${max}`, otherwise);
  },
});

/** An integer that is written in a larger unit than its value has. The fallback is in the unit of the value. */
const scaled =
  (unit: number) =>
  (min: number, max: number, fallback: number): Form<number> => {
    const written = integer(min, max, fallback / unit);
    return { ...written, read: (reader, name) => unit * written.read(reader, name) };
  };

/** An integer of seconds. The value is in milliseconds. */
export const seconds = scaled(1_000);

/** An integer of megabytes. The value is in bytes. */
export const megabytes = scaled(1_000_000);

export const oneOf = <const T extends string>(allowed: readonly T[], fallback: T): Form<T> => ({
  fallback: `\`${fallback}\``,
  read: (reader, name) => {
    const value = reader.text(name, fallback);
    const found = allowed.find((each) => each === value);
    return found ?? reader.problem(`${name} must be one of ${allowed.join(', ')}`, fallback);
  },
});

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
