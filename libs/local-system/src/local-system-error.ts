/** A failure of a local system with a stable code, a message and a hint for the user. */
export class LocalSystemError extends Error {
  constructor(
    readonly code:
      | 'binaries.missing'
      | 'binaries.download_failed'
      | 'service.not_ready'
      | 'configuration.invalid'
      | 'system.not_running'
      | 'system.locked'
      | 'state.unreadable'
      | 'load.failed',
    message: string,
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'LocalSystemError';
  }
}
