import type { LackingPrivilege } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import type { SyncProblem } from '@understudy/sync-job';

/** A lack once, at the first table that has it: a schema's or a role's is that of many tables. */
export function privilegeProblems(
  side: DatabaseSide,
  lacks: readonly LackingPrivilege[],
  tableIndexOf: ReadonlyMap<string, number>,
): readonly SyncProblem[] {
  const told = new Set<string>();
  return lacks.flatMap(({ key, privilege }) => {
    const tableIndex = tableIndexOf.get(key);
    const isOwnTable = privilege.objectKind === 'table' && privilege.object === undefined;
    const identity = JSON.stringify([privilege, isOwnTable ? tableIndex : undefined]);
    if (told.has(identity)) return [];
    told.add(identity);
    return [
      { code: 'permission_denied', side, ...(tableIndex === undefined ? {} : { tableIndex }), privilege },
    ];
  });
}
