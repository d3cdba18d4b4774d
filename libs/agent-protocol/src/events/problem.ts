import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ColumnType,
  Failure,
  FailureProblem,
  MissingPrivilege,
  NamedObject,
  SyncFailure,
  SyncProblem,
} from '@understudy/sync-job';

import {
  ColumnDifference,
  ConstraintKind,
  DatabaseSide,
  enumName,
  enumValue,
  FailureCode,
  NamedObjectKind,
  Privilege,
  PrivilegeObject,
  RelationKind,
  SessionLimit,
  type ColumnType as WireColumnType,
  type EnumName,
  type MissingPrivilege as WirePrivilege,
  type NamedObject as WireObject,
  type SnapshotFailure,
  type SyncJobFailed,
  type SyncProblem as WireProblem,
  type SyncProblemSchema,
} from '../schema/index.js';
import { defined } from '../wire-values.js';
import { sqlName, wireName } from './sql-name.js';

/** The fields that failures and problems share. */
type Location = Pick<Failure, 'code' | 'side' | 'tableIndex' | 'columnIndex' | 'constraintKind'>;
type SentLocation = Pick<SyncFailure, Exclude<keyof Location, 'code'>> & {
  readonly code: EnumName<typeof FailureCode>;
};

export function wireLocation({ code, side, constraintKind, tableIndex, columnIndex }: SentLocation) {
  return {
    code: enumValue(FailureCode, code),
    side: enumValue(DatabaseSide, side),
    constraintKind: enumValue(ConstraintKind, constraintKind),
    ...defined({ tableIndex, columnIndex }),
  };
}

/** Decodes the shared fields. Unknown codes become `internal`. */
export function locationOf(wire: SyncJobFailed | WireProblem | SnapshotFailure): Location {
  return {
    code: enumName(FailureCode, wire.code) ?? 'internal',
    ...defined({
      side: enumName(DatabaseSide, wire.side),
      tableIndex: wire.tableIndex,
      columnIndex: 'columnIndex' in wire ? wire.columnIndex : undefined,
      constraintKind: enumName(ConstraintKind, wire.constraintKind),
    }),
  };
}

export function wireProblem(problem: SyncProblem): MessageInitShape<typeof SyncProblemSchema> {
  const { sourceType, targetType, privilege, object, creating, table } = problem;
  const { locksPerTransaction, sessionsNeeded, sessionsHad, ignoredTableIndex } = problem;
  return {
    ...wireLocation(problem),
    relationKind: enumValue(RelationKind, problem.relationKind),
    difference: enumValue(ColumnDifference, problem.difference),
    sessionLimit: enumValue(SessionLimit, problem.sessionLimit),
    ...defined({
      ...{ locksPerTransaction, sessionsNeeded, sessionsHad, ignoredTableIndex },
      column: wireName(problem.column),
      constraint: wireName(problem.constraint),
      objectRole: wireName(problem.objectRole),
      sourceType: sourceType && wireType(sourceType),
      targetType: targetType && wireType(targetType),
      privilege: privilege && wirePrivilege(privilege),
      object: object && wireObject(object),
      creating: creating && wireObject(creating),
      table: table && defined({ schema: wireName(table.schema), name: wireName(table.name) }),
    }),
  };
}

export function problemOf(wire: WireProblem): FailureProblem {
  const { sourceType, targetType, privilege, object, creating, table } = wire;
  const { locksPerTransaction, sessionsNeeded, sessionsHad, ignoredTableIndex } = wire;
  return {
    ...locationOf(wire),
    ...defined({
      ...{ locksPerTransaction, sessionsNeeded, sessionsHad, ignoredTableIndex },
      relationKind: enumName(RelationKind, wire.relationKind),
      difference: enumName(ColumnDifference, wire.difference),
      sessionLimit: enumName(SessionLimit, wire.sessionLimit),
      column: sqlName(wire.column),
      constraint: sqlName(wire.constraint),
      objectRole: sqlName(wire.objectRole),
      sourceType: sourceType && typeOf(sourceType),
      targetType: targetType && typeOf(targetType),
      privilege: privilege && privilegeOf(privilege),
      object: object && objectOf(object),
      creating: creating && objectOf(creating),
      table: table && defined({ schema: sqlName(table.schema), name: sqlName(table.name) }),
    }),
  };
}

function wireType({ name, length }: ColumnType) {
  return defined({ name: wireName(name), length });
}

function typeOf({ name, length }: WireColumnType) {
  return defined({ name: sqlName(name), length });
}

export function wireObject({ kind, schema, name }: NamedObject) {
  return {
    kind: enumValue(NamedObjectKind, kind),
    ...defined({ schema: wireName(schema), name: wireName(name) }),
  };
}

export function objectOf({ kind, schema, name }: WireObject) {
  return {
    kind: enumName(NamedObjectKind, kind) ?? 'other',
    ...defined({ schema: sqlName(schema), name: sqlName(name) }),
  };
}

function wirePrivilege({ privilege, objectKind, schema, object, role, owner }: MissingPrivilege) {
  const names = {
    schema: wireName(schema),
    object: wireName(object),
    role: wireName(role),
    owner: wireName(owner),
  };
  return {
    privilege: enumValue(Privilege, privilege),
    objectKind: enumValue(PrivilegeObject, objectKind),
    ...defined(names),
  };
}

function privilegeOf({ privilege, objectKind, schema, object, role, owner }: WirePrivilege) {
  const names = {
    schema: sqlName(schema),
    object: sqlName(object),
    role: sqlName(role),
    owner: sqlName(owner),
  };
  return {
    privilege: enumName(Privilege, privilege) ?? 'unknown',
    objectKind: enumName(PrivilegeObject, objectKind) ?? 'unknown',
    ...defined(names),
  };
}
