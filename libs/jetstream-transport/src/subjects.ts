/** Stream of commands to agents; each message is deleted once its agent has acknowledged it. */
export const COMMANDS_STREAM = 'COMMANDS';
/** Stream of what agents report; each message is deleted once the control plane has committed it. */
export const EVENTS_STREAM = 'EVENTS';
/** Durable consumer of EVENTS, and queue group of core requests: any instance of the control plane may take one. */
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

/** The agent a subject belongs to (`us.<kind>.<agent id>`), or undefined when the subject has another shape. */
export function agentOfSubject(subject: string): string | undefined {
  return /^us\.[a-z]+\.([A-Za-z0-9_]+)$/.exec(subject)?.[1];
}

/** The whole allow-list of an agent: its own pull requests and acknowledgements, its own subjects, its own inbox. */
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

/** Ids become one token of a subject: nothing in them may separate or match. */
function token(agentId: string): string {
  if (!/^[A-Za-z0-9_]{1,64}$/.test(agentId))
    throw new RangeError('an agent id is letters, digits and underscores');
  return agentId;
}
