import type { Kind, SiblingNames } from '@understudy/personal-data';
import type { PersonalColumn, DetectedTable } from '../detect/detected-table.js';

/** Returns the columns of a table that contain names of people, or undefined if there are none. */
export function nameColumns({ personal }: DetectedTable): SiblingNames | undefined {
  const of = (kind: Kind) => {
    const found = personal.find((one) => kindOf(one) === kind && !one.column.isArray);
    return found && { name: found.column.name, isNullable: !found.column.notNull };
  };
  const [first, last, full] = [of('first_name'), of('last_name'), of('full_name')];
  if (first === undefined && last === undefined && full === undefined) return undefined;
  return { ...(first && { first }), ...(last && { last }), ...(full && { full }) };
}

/**
 * Returns a table that has a column of e-mail addresses but no names. Such addresses may belong to people of another
 * table. Each address must then get the same new value in all tables, so the new value cannot depend on a row's names.
 * Addresses inside documents do not matter: they would change the rules of every table.
 */
export function tableWithBareEmails(detected: readonly DetectedTable[]): DetectedTable | undefined {
  return detected.find(
    (table) => table.personal.some((one) => kindOf(one) === 'email') && nameColumns(table) === undefined,
  );
}

function kindOf({ found }: PersonalColumn): Kind | undefined {
  return 'paths' in found ? undefined : found.detection.kind;
}
