import { fromBinary } from '@bufbuild/protobuf';

import { CommandSchema } from '../schema/index.js';
import { bytesOf } from '../wire-values.js';
import type { CommandKind } from './command-kind.js';
import { JOB_COMMANDS } from './run-sync-job.js';
import { SNAPSHOT_COMMANDS } from './snapshot-commands.js';
import { TASK_COMMANDS } from './task-commands.js';

/** All kinds of commands, by the pattern of the agent's handler. */
const COMMANDS = { ...JOB_COMMANDS, ...SNAPSHOT_COMMANDS, ...TASK_COMMANDS };

type Pattern = keyof typeof COMMANDS;
type DataOf<Kind> = Kind extends CommandKind<infer Data> ? Data : never;

/** The pattern of the agent's handler, and the data that the handler receives. */
export type AgentCommand = {
  [P in Pattern]: { readonly pattern: P; readonly data: DataOf<(typeof COMMANDS)[P]> };
}[Pattern];

/** @param id `cmd_` + ULID */
export function encodeCommand(id: string, { pattern, data }: AgentCommand): Uint8Array {
  return bytesOf(CommandSchema, { id, command: kindOf(pattern).encode(data) });
}

/**
 * Returns the key of a command that is sent again. JetStream drops a second command with the same key.
 * @returns undefined if the agent may receive each of them
 */
export function keyOfCommand({ pattern, data }: AgentCommand, agentId: string): string | undefined {
  return kindOf(pattern).key?.(data, agentId);
}

/**
 * Decodes a command.
 * @throws TypeError if this agent does not know the command or a field of it is invalid
 */
export function decodeCommand(bytes: Uint8Array): AgentCommand {
  const { command } = fromBinary(CommandSchema, bytes);
  for (const pattern of Object.keys(COMMANDS) as Pattern[]) {
    const decode = command.case && kindOf(pattern).decode[command.case];
    if (decode) return { pattern, data: decode(command.value as never) } as AgentCommand;
  }
  throw new TypeError('expected a command that this agent knows');
}

function kindOf(pattern: Pattern): CommandKind<unknown> {
  return COMMANDS[pattern] as CommandKind<unknown>;
}
