export { ADDRESSEE_HEADER, addressedTo, AgentMessageContext, isAddressedTo } from './agent-message.js';
export type { ConsumerBinding, Decoded, IncomingMessage, PoisonMessage, SubjectBinding } from './bindings.js';
export { JetStreamServer, type JetStreamServerOptions } from './jetstream-server.js';
export {
  acknowledgementSubject,
  agentConsumer,
  agentInboxPrefix,
  agentOfSubject,
  agentPermissions,
  ALL_ANSWERS,
  ALL_COMMANDS,
  ALL_EVENTS,
  ALL_HEARTBEATS,
  answerSubject,
  commandSubject,
  COMMAND_ACK_WAIT_MS,
  COMMANDS_STREAM,
  CONTROL_PLANE,
  EVENTS_STREAM,
  eventSubject,
  heartbeatSubject,
  questionSubject,
} from './subjects.js';
