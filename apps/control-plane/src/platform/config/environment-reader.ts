import { isIP } from 'node:net';

import { ACCEPTED_NATS_URLS, isAcceptedNatsUrl } from '@understudy/nats-trust';
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

/** The variables whose values may be in files. The variable `<name>_FILE` then has the path. */
export const SECRET_VARIABLES = [
  'UNDERSTUDY_DATABASE_URL',
  'UNDERSTUDY_REDIS_URL',
  'UNDERSTUDY_NATS_OPERATOR_SEED',
  'UNDERSTUDY_NATS_ACCOUNT_SEED',
  'UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED',
  'UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED',
  'UNDERSTUDY_OPS_PASSWORD',
  'UNDERSTUDY_SECRETS_KEY',
] as const;
export type SecretVariable = (typeof SECRET_VARIABLES)[number];

/** Reads variables and collects all problems. `finish` throws one error with all problems. */
export class EnvironmentReader {
  private readonly problems: string[] = [];

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  text(name: string, fallback?: string): string {
    const value = this.env[name];
    if (value !== undefined && value !== '') return value;
    if (fallback !== undefined) return fallback;
    return this.problem(`${name} is not set`, '');
  }

  /** Reads a variable whose value may be in a file. */
  private secret(name: SecretVariable, fallback?: string): string {
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

  port(name: string, fallback: number): number {
    const text = this.text(name, String(fallback));
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    return this.problem(`${name} must be a port number, 0 to 65535`, fallback);
  }

  /** Reads an integer from `min` to `max`, both included. */
  integer(name: string, min: number, max: number, fallback: number): number {
    const text = this.text(name, String(fallback));
    if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    return this.problem(`${name} must be an integer from ${min} to ${max}`, fallback);
  }

  /** Reads a list of 1 to 100 integers from 0 to `max`, separated by commas. */
  integers(name: string, max: number, fallback: readonly number[]): readonly number[] {
    const entries = this.text(name, fallback.join(',')).split(',');
    const isRight = (entry: string) => /^\d{1,9}$/.test(entry.trim()) && Number(entry) <= max;
    if (entries.length <= 100 && entries.every(isRight)) return entries.map(Number);
    return this.problem(
      `${name} must be a list of 1 to 100 integers from 0 to ${max}, separated by commas`,
      fallback,
    );
  }

  url(name: string, protocols: readonly string[], fallback?: string): string {
    return this.checkedUrl(name, protocols, this.text(name, fallback));
  }

  /** Reads a URL that contains a password. */
  secretUrl(name: SecretVariable, protocols: readonly string[]): string {
    return this.checkedUrl(name, protocols, this.secret(name));
  }

  private checkedUrl(name: string, protocols: readonly string[], text: string): string {
    if (text === '') return text; // already reported
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
    return this.problem(
      `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      '',
    );
  }

  /** Reads a NATS URL that agents would accept. */
  natsUrl(name: string, fallback?: string): string {
    const text = this.text(name, fallback);
    if (text === '' || text === fallback || isAcceptedNatsUrl(text)) return text; // the fallback is the value of another variable, which was checked
    return this.problem(`${name} must be ${ACCEPTED_NATS_URLS}`, '');
  }

  /** Reads the CA file and the proxy for outgoing connections. */
  outbound(): OutboundSettings {
    return readOutboundSettings(this.env, this.problems);
  }

  /** @param prefix the prefix of the nkey seed: `SO` for an operator, `SA` for an account */
  seed(name: SecretVariable, prefix: string): string {
    const text = this.secret(name);
    if (text === '' || (text.startsWith(prefix) && /^[A-Z2-7]{58}$/.test(text))) return text;
    return this.problem(`${name} must be an nkey seed that starts with ${prefix}`, '');
  }

  password(name: SecretVariable, minLength: number): string {
    const text = this.secret(name);
    if (text === '' || text.length >= minLength) return text;
    return this.problem(`${name} must have at least ${minLength} characters`, '');
  }

  /** Reads a text of at least 32 characters from which encryption keys are derived. */
  key(name: SecretVariable, fallback: string): string {
    const text = this.secret(name, fallback);
    if (text === '' || text === fallback || text.length >= 32) return text;
    return this.problem(`${name} must have at least 32 characters`, fallback);
  }

  /** Reads a list of IP addresses and networks, separated by commas. The default is an empty list. */
  networks(name: string): readonly string[] {
    const entries = this.entries(name);
    if (entries.every(isNetwork)) return entries;
    return this.problem(`${name} must be IP addresses or networks like 10.0.0.0/8, separated by commas`, []);
  }

  /**
   * Reads a JSON value.
   * @param expected describes the valid values in the error message
   * @param read converts the parsed value; returns undefined if the value is invalid
   */
  json<T>(name: string, expected: string, read: (value: unknown) => T | undefined, fallback: T): T {
    const text = this.text(name, '');
    if (text === '') return fallback;
    return read(parsed(text)) ?? this.problem(`${name} must be ${expected}`, fallback);
  }

  /** Reads a list of allowed values, separated by commas. The default is an empty list. */
  someOf<const T extends string>(name: string, allowed: readonly T[]): readonly T[] {
    const entries = this.entries(name);
    const found = allowed.filter((value) => entries.includes(value));
    if (entries.every((entry) => allowed.some((value) => value === entry))) return found;
    return this.problem(`${name} must be a list of ${allowed.join(', ')}, separated by commas`, found);
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.text(name, fallback);
    const found = allowed.find((value) => value === text);
    return found ?? this.problem(`${name} must be one of ${allowed.join(', ')}`, fallback);
  }

  private entries(name: string): string[] {
    return this.text(name, '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
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

/** @returns undefined if the text is not JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // the caller reports a message with the expected value
  }
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
