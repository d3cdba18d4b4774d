import { create } from '@bufbuild/protobuf';
import {
  ColumnDifference,
  ConstraintKind,
  DatabaseSide,
  Privilege,
  PrivilegeObject,
  SyncProblemSchema,
  type FailureCode,
  type SyncProblem as WireSyncProblem,
} from '@understudy/contract';
import type { ColumnType, MissingPrivilege, SyncProblem } from '@understudy/sync-job';
import type { SqlName } from '@understudy/sync-job';

export interface ProblemCodes {
  readonly code: FailureCode;
  readonly side: DatabaseSide;
  readonly constraintKind: ConstraintKind;
}

/** @param codes those that a problem shares with a failure, on the wire */
export function wireProblem(problem: SyncProblem, codes: ProblemCodes): WireSyncProblem {
  const { tableIndex, columnIndex, column, constraint, difference, sourceType, targetType, privilege } =
    problem;
  return create(SyncProblemSchema, {
    ...codes,
    ...(tableIndex === undefined ? {} : { tableIndex }),
    ...(columnIndex === undefined ? {} : { columnIndex }),
    ...wireName('column', column),
    ...wireName('constraint', constraint),
    ...(difference === undefined ? {} : { difference: DIFFERENCE[difference] }),
    ...(sourceType === undefined ? {} : { sourceType: wireType(sourceType) }),
    ...(targetType === undefined ? {} : { targetType: wireType(targetType) }),
    ...(privilege === undefined ? {} : { privilege: wirePrivilege(privilege) }),
  });
}

function wireType({ name, length }: ColumnType) {
  return { ...wireName('name', name), ...(length === undefined ? {} : { length }) };
}

function wirePrivilege({ privilege, objectKind, schema, object, role, owner }: MissingPrivilege) {
  return {
    privilege: PRIVILEGE[privilege],
    objectKind: OBJECT[objectKind],
    ...wireName('schema', schema),
    ...wireName('object', object),
    ...wireName('role', role),
    ...wireName('owner', owner),
  };
}

function wireName<F extends string>(field: F, name: SqlName | undefined): { [K in F]?: { text: SqlName } } {
  return name === undefined ? {} : ({ [field]: { text: name } } as { [K in F]?: { text: SqlName } });
}

const DIFFERENCE: Record<NonNullable<SyncProblem['difference']>, ColumnDifference> = {
  missing: ColumnDifference.MISSING,
  extra: ColumnDifference.EXTRA,
  type: ColumnDifference.TYPE,
  collation: ColumnDifference.COLLATION,
  generated: ColumnDifference.GENERATED,
  enum_values: ColumnDifference.ENUM_VALUES,
};
const PRIVILEGE: Record<MissingPrivilege['privilege'], Privilege> = {
  select: Privilege.SELECT,
  insert: Privilege.INSERT,
  truncate: Privilege.TRUNCATE,
  references: Privilege.REFERENCES,
  usage: Privilege.USAGE,
  create: Privilege.CREATE,
  ownership: Privilege.OWNERSHIP,
  bypass_row_security: Privilege.BYPASS_ROW_SECURITY,
};
const OBJECT: Record<MissingPrivilege['objectKind'], PrivilegeObject> = {
  table: PrivilegeObject.TABLE,
  schema: PrivilegeObject.SCHEMA,
  sequence: PrivilegeObject.SEQUENCE,
  database: PrivilegeObject.DATABASE,
};
