/** What is wrong with the environment: one line a variable, without its value. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

/** Reads variables and collects problems instead of stopping at the first; `finish` throws them together. */
export class EnvironmentReader {
  private readonly problems: string[] = [];

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  text(name: string, fallback?: string): string {
    const value = this.env[name];
    if (value !== undefined && value !== '') return value;
    if (fallback !== undefined) return fallback;
    return this.problem(`${name} is not set`, '');
  }

  port(name: string, fallback: number): number {
    const text = this.text(name, String(fallback));
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    return this.problem(`${name} must be a port number, 0 to 65535`, fallback);
  }

  url(name: string, protocols: readonly string[], fallback?: string): string {
    const text = this.text(name, fallback);
    if (text === '') return text; // reported already
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
    return this.problem(
      `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      '',
    );
  }

  /** @param prefix of an nkey seed: `SO` operator, `SA` account */
  seed(name: string, prefix: string): string {
    const text = this.text(name);
    if (text === '' || (text.startsWith(prefix) && /^[A-Z2-7]{58}$/.test(text))) return text;
    return this.problem(`${name} must be an nkey seed that starts with ${prefix}`, '');
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.text(name, fallback);
    const found = allowed.find((value) => value === text);
    return found ?? this.problem(`${name} must be one of ${allowed.join(', ')}`, fallback);
  }

  finish(): void {
    if (this.problems.length > 0) throw new ConfigurationError(this.problems);
  }

  private problem<T>(message: string, stand: T): T {
    this.problems.push(message);
    return stand;
  }
}
