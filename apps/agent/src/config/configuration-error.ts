/** Everything that is wrong with what the agent was told, one line a problem; values are never quoted. */
export class ConfigurationError extends Error {
  readonly code = 'agent.configuration_invalid';

  constructor(
    readonly subject: string,
    readonly problems: readonly string[],
  ) {
    super(`${subject}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}
