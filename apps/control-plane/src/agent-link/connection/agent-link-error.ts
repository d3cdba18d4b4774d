/** The agents cannot be reached now; the work stays in the outbox and is tried again. */
export class AgentLinkUnavailableError extends Error {
  readonly code = 'agent_link.unavailable';

  constructor(options?: ErrorOptions) {
    super('NATS is not reachable', options);
    this.name = 'AgentLinkUnavailableError';
  }
}
