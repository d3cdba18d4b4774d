/** The stream of commands to agents. A message is deleted once its agent has acknowledged it. */
export const COMMANDS_STREAM = 'COMMANDS';
/**
 * The time after which JetStream delivers a command again that its agent has not acknowledged, for example because the
 * link broke. Agents of 0.1.0 report every 10 s that they still work on a command, so it may not be shorter.
 */
export const COMMAND_ACK_WAIT_MS = 15_000;
/** The stream of events from agents. A message is deleted once the control plane has committed its event. */
export const EVENTS_STREAM = 'EVENTS';
/**
 * The name of the durable consumer of EVENTS, and of the queue group for heartbeats. The server delivers
 * each message to one instance of the control plane.
 */
export const CONTROL_PLANE = 'control_plane';

export const commandSubject = (agentId: string): string => `us.cmd.${token(agentId)}`;
export const eventSubject = (agentId: string): string => `us.evt.${token(agentId)}`;
export const heartbeatSubject = (agentId: string): string => `us.beat.${token(agentId)}`;
export const acknowledgementSubject = (agentId: string): string => `us.ack.${token(agentId)}`;
export const questionSubject = (agentId: string): string => `us.ask.${token(agentId)}`;
export const answerSubject = (agentId: string): string => `us.tell.${token(agentId)}`;
export const agentConsumer = (agentId: string): string => `agent_${token(agentId)}`;
export const agentInboxPrefix = (agentId: string): string => `_INBOX_${token(agentId)}`;

export const ALL_COMMANDS = 'us.cmd.>';
export const ALL_EVENTS = 'us.evt.>';
export const ALL_HEARTBEATS = 'us.beat.*';
export const ALL_ANSWERS = 'us.tell.*';

/**
 * Returns the agent id in a subject of the form `us.<kind>.<agent id>`, or undefined for any other subject.
 */
export function agentOfSubject(subject: string): string | undefined {
  return /^us\.[a-z]+\.([A-Za-z0-9_]+)$/.exec(subject)?.[1];
}

/**
 * Returns everything that an agent may publish and subscribe to: its own pull requests and acknowledgements,
 * its own subjects and its own inbox.
 */
export function agentPermissions(agentId: string): {
  readonly publish: string[];
  readonly subscribe: string[];
} {
  return {
    publish: [
      eventSubject(agentId),
      heartbeatSubject(agentId),
      answerSubject(agentId),
      `$JS.API.CONSUMER.MSG.NEXT.${COMMANDS_STREAM}.${agentConsumer(agentId)}`,
      `$JS.ACK.${COMMANDS_STREAM}.${agentConsumer(agentId)}.>`,
    ],
    subscribe: [acknowledgementSubject(agentId), questionSubject(agentId), `${agentInboxPrefix(agentId)}.>`],
  };
}

/** An id becomes one token of a subject, so it must not contain separators or wildcards. */
function token(agentId: string): string {
  if (!/^[A-Za-z0-9_]{1,64}$/.test(agentId))
    throw new RangeError('an agent id must have 1 to 64 letters, digits and underscores');
  return agentId;
}
