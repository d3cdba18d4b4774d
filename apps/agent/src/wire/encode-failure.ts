import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ColumnDifference,
  ConstraintKind,
  DatabaseSide,
  enumValue,
  FailureCode,
  NamedObjectKind,
  Privilege,
  PrivilegeObject,
  RelationKind,
  SessionLimit,
  type SyncProblemSchema,
} from '@understudy/contract';
import type { SnapshotFailure } from '@understudy/snapshot-engine';
import type {
  ColumnType,
  MissingPrivilege,
  NamedObject,
  SqlName,
  SyncFailure,
  SyncProblem,
} from '@understudy/sync-job';

import { sqlstateNumber } from './wire-values.js';

/** Encodes the fields that the failures of sync jobs and snapshots have in common. */
export function wireFailure(failure: SyncFailure | SnapshotFailure) {
  return { ...wireCodes(failure), sqlstate: sqlstateNumber(failure.sqlstate) };
}

export function wireProblem(problem: SyncProblem): MessageInitShape<typeof SyncProblemSchema> {
  const { columnIndex, column, constraint, relationKind, difference, sourceType, targetType } = problem;
  const { privilege, object, creating } = problem;
  const { table, ignoredTableIndex } = problem;
  return {
    ...wireCodes(problem),
    ...(columnIndex === undefined ? {} : { columnIndex }),
    ...wireName('column', column),
    ...wireName('constraint', constraint),
    ...(problem.locksPerTransaction === undefined
      ? {}
      : { locksPerTransaction: problem.locksPerTransaction }),
    ...(problem.sessionsNeeded === undefined ? {} : { sessionsNeeded: problem.sessionsNeeded }),
    ...(problem.sessionsHad === undefined ? {} : { sessionsHad: problem.sessionsHad }),
    sessionLimit: enumValue(SessionLimit, problem.sessionLimit),
    relationKind: enumValue(RelationKind, relationKind),
    difference: enumValue(ColumnDifference, difference),
    ...(sourceType === undefined ? {} : { sourceType: wireType(sourceType) }),
    ...(targetType === undefined ? {} : { targetType: wireType(targetType) }),
    ...(privilege === undefined ? {} : { privilege: wirePrivilege(privilege) }),
    ...(object === undefined ? {} : { object: wireObject(object) }),
    ...wireName('objectRole', problem.objectRole),
    ...(creating === undefined ? {} : { creating: wireObject(creating) }),
    ...(table === undefined
      ? {}
      : { table: { ...wireName('schema', table.schema), ...wireName('name', table.name) } }),
    ...(ignoredTableIndex === undefined ? {} : { ignoredTableIndex }),
  };
}

function wireCodes({ code, side, constraintKind, tableIndex }: SyncFailure | SyncProblem | SnapshotFailure) {
  return {
    code: enumValue(FailureCode, code),
    side: enumValue(DatabaseSide, side),
    constraintKind: enumValue(ConstraintKind, constraintKind),
    ...(tableIndex === undefined ? {} : { tableIndex }),
  };
}

function wireType({ name, length }: ColumnType) {
  return { ...wireName('name', name), ...(length === undefined ? {} : { length }) };
}

function wireObject({ kind, schema, name }: NamedObject) {
  return { kind: enumValue(NamedObjectKind, kind), ...wireName('schema', schema), ...wireName('name', name) };
}

function wirePrivilege({ privilege, objectKind, schema, object, role, owner }: MissingPrivilege) {
  return {
    privilege: enumValue(Privilege, privilege),
    objectKind: enumValue(PrivilegeObject, objectKind),
    ...wireName('schema', schema),
    ...wireName('object', object),
    ...wireName('role', role),
    ...wireName('owner', owner),
  };
}

function wireName<F extends string>(field: F, name: SqlName | undefined): { [K in F]?: { text: SqlName } } {
  return name === undefined ? {} : ({ [field]: { text: name } } as { [K in F]?: { text: SqlName } });
}
