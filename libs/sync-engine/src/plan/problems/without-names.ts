import type { SyncFailure, ColumnType, MissingPrivilege, SyncProblem } from '@understudy/sync-job';

/**
 * Removes the names of columns, types, schemas and other objects from a failure, for a policy with
 * `report_names: false`. Codes and the positions of tables and columns in the command stay.
 */
export function withoutNames(failure: SyncFailure): SyncFailure {
  if (failure.problems === undefined) return failure;
  return { ...failure, problems: failure.problems.map(nameless) };
}

function nameless(problem: SyncProblem): SyncProblem {
  const { sourceType, targetType, privilege, object, creating, table } = problem;
  return {
    ...withoutIdentifiers(problem),
    ...(sourceType === undefined ? {} : { sourceType: namelessType(sourceType) }),
    ...(targetType === undefined ? {} : { targetType: namelessType(targetType) }),
    ...(privilege === undefined ? {} : { privilege: namelessPrivilege(privilege) }),
    ...(object === undefined ? {} : { object: { kind: object.kind } }),
    ...(creating === undefined ? {} : { creating: { kind: creating.kind } }),
    ...(table === undefined ? {} : { table: {} }),
  };
}

function withoutIdentifiers(problem: SyncProblem): SyncProblem {
  const { column, constraint, objectRole, ...others } = problem;
  return [column, constraint, objectRole].every((name) => name === undefined) ? problem : others;
}

function namelessType({ length }: ColumnType): ColumnType {
  return length === undefined ? {} : { length };
}

function namelessPrivilege({ privilege, objectKind }: MissingPrivilege): MissingPrivilege {
  return { privilege, objectKind };
}
