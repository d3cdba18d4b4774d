import { defined, type SyncFailure, type SyncProblem, type SyncWarning } from '@understudy/sync-job';

/**
 * Removes the names of columns, types, schemas and other objects from a failure, for a policy with
 * `report_names: false`. Codes and the positions of tables and columns in the command stay.
 */
export function withoutNames(failure: SyncFailure): SyncFailure {
  if (failure.problems === undefined) return failure;
  return { ...failure, problems: failure.problems.map(nameless) };
}

/** Does the same for warnings. */
export function warningsWithoutNames(warnings: readonly SyncWarning[]): readonly SyncWarning[] {
  return warnings.map(({ code, tableIndex, columnIndex, count, object }) => ({
    code,
    ...defined({ tableIndex, columnIndex, count, object: object && { kind: object.kind } }),
  }));
}

function nameless(problem: SyncProblem): SyncProblem {
  const { sourceType, targetType, privilege, object, creating, table } = problem;
  return {
    ...withoutIdentifiers(problem),
    ...defined({
      sourceType: sourceType && defined({ length: sourceType.length }),
      targetType: targetType && defined({ length: targetType.length }),
      privilege: privilege && { privilege: privilege.privilege, objectKind: privilege.objectKind },
      object: object && { kind: object.kind },
      creating: creating && { kind: creating.kind },
      table: table && {},
    }),
  };
}

function withoutIdentifiers(problem: SyncProblem): SyncProblem {
  const { column, constraint, objectRole, ...others } = problem;
  return [column, constraint, objectRole].every((name) => name === undefined) ? problem : others;
}
