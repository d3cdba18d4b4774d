import { Inject, Injectable } from '@nestjs/common';
import { decodeAcknowledgement, decodeCommand, decodeRestorePrecheck } from '@understudy/agent-protocol';
import {
  acknowledgementSubject,
  agentConsumer,
  AgentMessageContext,
  COMMAND_ACK_WAIT_MS,
  COMMANDS_STREAM,
  isAddressedTo,
  JetStreamServer,
  questionSubject,
  type ConsumerBinding,
  type SubjectBinding,
} from '@understudy/agent-protocol/transport';

import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import { AgentConnection } from './agent-connection.js';

/**
 * The transport strategy of the agent. It passes each command to the `@EventPattern` handler for the
 * command's `AgentCommand.pattern`, and acknowledges the command to JetStream when the handler resolves.
 * The handler of `event_acknowledgement` receives the acknowledged journal numbers, and the handler of
 * `precheck_restore` receives the request and its id.
 */
@Injectable()
export class AgentLinkServer extends JetStreamServer {
  constructor(connection: AgentConnection, @Inject(AGENT_IDENTITY) { agentId }: AgentIdentity) {
    super({
      connection: () => connection.open(),
      consumers: () => [commandsBinding(agentId)],
      subjects: () => [acknowledgementsBinding(agentId), prechecksBinding(agentId)],
    });
  }
}

function commandsBinding(agentId: string): ConsumerBinding {
  return {
    stream: COMMANDS_STREAM,
    durable: agentConsumer(agentId),
    concurrency: 1,
    workingEveryMs: COMMAND_ACK_WAIT_MS / 3,
    retryAfterMs: () => 2_000,
    decode: (message) => {
      if (!isAddressedTo(agentId, message)) throw new TypeError('a command for another agent');
      return { ...decodeCommand(message.data), context: new AgentMessageContext(agentId) };
    },
  };
}

function acknowledgementsBinding(agentId: string): SubjectBinding {
  return {
    subject: acknowledgementSubject(agentId),
    decode: (message) => {
      if (!isAddressedTo(agentId, message)) throw new TypeError('an acknowledgement for another agent');
      return {
        pattern: 'event_acknowledgement',
        data: decodeAcknowledgement(message.data),
        context: new AgentMessageContext(agentId),
      };
    },
  };
}

function prechecksBinding(agentId: string): SubjectBinding {
  return {
    subject: questionSubject(agentId),
    decode: (message) => {
      if (!isAddressedTo(agentId, message)) throw new TypeError('a request for another agent');
      const data = decodeRestorePrecheck(message.data);
      return data && { pattern: 'precheck_restore', data, context: new AgentMessageContext(agentId) };
    },
  };
}
