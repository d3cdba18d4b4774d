import { SecretFileError, secretVariable } from '@understudy/operator-commands';
import { type OutboundSettings, readOutboundSettings } from '@understudy/outbound';

/** The environment has missing or invalid variables. The message has one line for each variable, without its value. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration is incomplete or invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigurationError';
  }
}

/** Reads variables and collects all problems. `finish` throws one error with all problems. */
export class EnvironmentReader {
  private readonly problems: string[] = [];

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  /** Returns the text of a variable. If it is not set, returns `fallback`, or '' with a problem. */
  text(name: string, fallback?: string): string {
    const value = this.env[name];
    if (value !== undefined && value !== '') return value;
    if (fallback !== undefined) return fallback;
    return this.problem(`${name} is not set`, '');
  }

  /** Reads a variable whose value may be in a file. */
  secret(name: string, fallback?: string): string {
    try {
      const value = secretVariable(this.env, name) ?? fallback;
      return (
        value ?? this.problem(`${name} is not set; set it, or ${name}_FILE to a file with the value`, '')
      );
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      return this.problem(error.message, '');
    }
  }

  /** Reads the CA file and the proxy for outgoing connections. */
  outbound(): OutboundSettings {
    return readOutboundSettings(this.env, this.problems);
  }

  finish(): void {
    if (this.problems.length > 0) throw new ConfigurationError(this.problems);
  }

  /** Records a problem. @returns the substitute, which is never used because {@link finish} throws */
  problem<T>(message: string, substitute: T): T {
    this.problems.push(message);
    return substitute;
  }
}
