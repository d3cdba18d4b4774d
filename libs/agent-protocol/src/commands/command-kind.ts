import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Command, CommandSchema } from '../schema/index.js';

type Wire = Exclude<Command['command'], { case: undefined }>;

/** A kind of command, in the file of its message. */
export interface CommandKind<Data> {
  readonly encode: (data: Data) => MessageInitShape<typeof CommandSchema>['command'];
  /** The decoder of each case of the protobuf `oneof` that the kind uses. A decoder throws a TypeError. */
  readonly decode: {
    readonly [Case in Wire['case']]?: (value: Extract<Wire, { case: Case }>['value']) => Data;
  };
  /** The key that equal commands have. Absent if an agent may receive each of them. */
  readonly key?: (data: Data, agentId: string) => string;
}

/** Returns the declaration, and infers its data. */
export function commandKind<Data>(kind: CommandKind<Data>): CommandKind<Data> {
  return kind;
}
