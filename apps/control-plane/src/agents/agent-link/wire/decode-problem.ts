import {
  ColumnDifference,
  ConstraintKind,
  DatabaseSide,
  enumName,
  FailureCode,
  NamedObjectKind,
  Privilege,
  PrivilegeObject,
  RelationKind,
  SessionLimit,
  type ColumnType,
  type MissingPrivilege,
  type NamedObject,
  type SnapshotFailure,
  type SqlName,
  type SyncJobFailed,
  type SyncProblem,
} from '@understudy/contract';

import type { FailureProblem } from '@understudy/sync-job';
import type { AgentFailure } from '../messages/sync-job-event.js';

type FailureLocation = Pick<AgentFailure, 'code' | 'side' | 'tableIndex' | 'columnIndex' | 'constraintKind'>;

/** Decodes the fields that a failure and a problem share. Unknown codes become `internal`. */
export function failureLocation(wire: SyncJobFailed | SyncProblem | SnapshotFailure): FailureLocation {
  const side = enumName(DatabaseSide, wire.side);
  const constraintKind = enumName(ConstraintKind, wire.constraintKind);
  return {
    code: enumName(FailureCode, wire.code) ?? 'internal',
    ...(side === undefined ? {} : { side }),
    ...(wire.tableIndex === undefined ? {} : { tableIndex: wire.tableIndex }),
    ...('columnIndex' in wire && wire.columnIndex !== undefined ? { columnIndex: wire.columnIndex } : {}),
    ...(constraintKind === undefined ? {} : { constraintKind }),
  };
}

export function agentProblem(wire: SyncProblem): FailureProblem {
  const difference = enumName(ColumnDifference, wire.difference);
  const relationKind = enumName(RelationKind, wire.relationKind);
  const sessionLimit = enumName(SessionLimit, wire.sessionLimit);
  return {
    ...failureLocation(wire),
    ...named('column', wire.column),
    ...named('constraint', wire.constraint),
    ...(relationKind === undefined ? {} : { relationKind }),
    ...(wire.locksPerTransaction === undefined ? {} : { locksPerTransaction: wire.locksPerTransaction }),
    ...(wire.sessionsNeeded === undefined ? {} : { sessionsNeeded: wire.sessionsNeeded }),
    ...(wire.sessionsHad === undefined ? {} : { sessionsHad: wire.sessionsHad }),
    ...(sessionLimit === undefined ? {} : { sessionLimit }),
    ...(difference === undefined ? {} : { difference }),
    ...(wire.sourceType === undefined ? {} : { sourceType: columnType(wire.sourceType) }),
    ...(wire.targetType === undefined ? {} : { targetType: columnType(wire.targetType) }),
    ...(wire.privilege === undefined ? {} : { privilege: missingPrivilege(wire.privilege) }),
    ...(wire.object === undefined ? {} : { object: namedObject(wire.object) }),
    ...named('objectRole', wire.objectRole),
    ...(wire.creating === undefined ? {} : { creating: namedObject(wire.creating) }),
    ...(wire.table === undefined
      ? {}
      : { table: { ...named('schema', wire.table.schema), ...named('name', wire.table.name) } }),
    ...(wire.ignoredTableIndex === undefined ? {} : { ignoredTableIndex: wire.ignoredTableIndex }),
  };
}

function columnType({ name, length }: ColumnType): NonNullable<FailureProblem['sourceType']> {
  return { ...named('name', name), ...(length === undefined ? {} : { length }) };
}

function namedObject({ kind, schema, name }: NamedObject): NonNullable<FailureProblem['object']> {
  return {
    kind: enumName(NamedObjectKind, kind) ?? 'other',
    ...named('schema', schema),
    ...named('name', name),
  };
}

function missingPrivilege(wire: MissingPrivilege): NonNullable<FailureProblem['privilege']> {
  return {
    privilege: enumName(Privilege, wire.privilege) ?? 'unknown',
    objectKind: enumName(PrivilegeObject, wire.objectKind) ?? 'unknown',
    ...named('schema', wire.schema),
    ...named('object', wire.object),
    ...named('role', wire.role),
    ...named('owner', wire.owner),
  };
}

const MAX_NAME_BYTES = 63;

function named<F extends string>(field: F, name: SqlName | undefined): { [K in F]?: string } {
  const text = sqlName(name);
  return text === undefined ? {} : ({ [field]: text } as { [K in F]?: string });
}

/**
 * Reads an SQL identifier.
 * @returns undefined if the text is empty, contains NUL or is longer than 63 bytes. A genuine agent sends no
 *   such text.
 */
export function sqlName(name: SqlName | undefined): string | undefined {
  const text = name?.text ?? '';
  const isName = text !== '' && !text.includes('\0') && Buffer.byteLength(text) <= MAX_NAME_BYTES;
  return isName ? text : undefined;
}
