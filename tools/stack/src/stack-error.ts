/** A failure of the stack with a stable code, a message and a hint for the user. */
export class StackError extends Error {
  constructor(
    readonly code:
      | 'binaries.missing'
      | 'binaries.download_failed'
      | 'service.not_ready'
      | 'configuration.invalid'
      | 'stack.not_running'
      | 'stack.locked'
      | 'state.unreadable'
      | 'load.failed',
    message: string,
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StackError';
  }
}
