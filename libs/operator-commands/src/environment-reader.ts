import { SecretFileError, type SecretOptions, secretVariable } from './secret-file.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables and collects all problems, so that a program can report them together. */
export class EnvironmentReader {
  /** One line for each missing or invalid variable, without its value. */
  readonly problems: string[] = [];

  /** @param integerNoun how messages of this program name an integer */
  constructor(
    readonly environment: Environment,
    readonly integerNoun: 'an integer' | 'a whole number' = 'an integer',
  ) {}

  /** Returns the text of a variable. If it is not set, returns `fallback`, or '' with a problem. */
  text(name: string, fallback?: string): string {
    const value = this.environment[name];
    if (value !== undefined && value !== '') return value;
    if (fallback !== undefined) return fallback;
    return this.problem(`${name} is not set`, '');
  }

  /** Reads a variable whose value may be in a file. */
  secret(name: string, fallback?: string): string {
    const value = this.optionalSecret(name) ?? fallback;
    return value ?? this.problem(`${name} is not set; set it, or ${name}_FILE to a file with the value`, '');
  }

  /** Reads a variable whose value may be in a file. @returns undefined if neither is set */
  optionalSecret(name: string, options?: SecretOptions): string | undefined {
    try {
      return secretVariable(this.environment, name, options);
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      return this.problem(error.message, '');
    }
  }

  /** Records a problem. @returns the substitute, which a program with problems never uses */
  problem<T>(message: string, substitute: T): T {
    this.problems.push(message);
    return substitute;
  }
}
