import { Inject, Injectable } from '@nestjs/common';
import { fromBinary } from '@bufbuild/protobuf';
import { EventAcknowledgementSchema } from '@understudy/contract';
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
} from '@understudy/jetstream-transport';

import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import { AgentConnection } from './agent-connection.js';
import { decodeCommand } from '../wire/decode-command.js';
import { decodePrecheck } from '../wire/decode-snapshot-command.js';

/**
 * The transport strategy of the agent. It passes each command to the `@EventPattern` handler for the
 * command's `ReceivedCommand.pattern`, and acknowledges the command to JetStream when the handler resolves.
 * The handler of `event_acknowledgement` receives the acknowledged journal numbers, and the handler of
 * `precheck_restore` receives a ReceivedPrecheck.
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
        data: fromBinary(EventAcknowledgementSchema, message.data).journalSeqs.map(Number),
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
      const data = decodePrecheck(message.data);
      return data && { pattern: 'precheck_restore', data, context: new AgentMessageContext(agentId) };
    },
  };
}
