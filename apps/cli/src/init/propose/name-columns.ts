import type { Kind, SiblingNames } from '@understudy/personal-data';
import type { PersonalColumn, TableFindings } from '../detect/findings.js';

/** Returns the name columns of a table, or undefined if an address cannot be made of them. */
export function nameColumns({ personal }: TableFindings): SiblingNames | undefined {
  const of = (kind: Kind) => {
    const found = personal.find((one) => kindOf(one) === kind && !one.column.isArray);
    return found && { name: found.column.name, isNullable: !found.column.notNull };
  };
  const [first, last, full] = [of('first_name'), of('last_name'), of('full_name')];
  if (first === undefined && last === undefined && full === undefined) return undefined;
  return { ...(first && { first }), ...(last && { last }), ...(full && { full }) };
}

/**
 * Returns whether a table has e-mail addresses and no names. Each may belong to a person of another table, so an address
 * must become the same one everywhere and cannot follow a row's names.
 */
export function hasEmailsWithoutNames(findings: readonly TableFindings[]): boolean {
  return findings.some(
    (table) =>
      table.personal.some(({ found }) => 'places' in found && found.places.some(isEmail)) ||
      (table.personal.some((one) => kindOf(one) === 'email') && nameColumns(table) === undefined),
  );
}

function isEmail({ detection }: { readonly detection: { readonly kind: Kind } }): boolean {
  return detection.kind === 'email';
}

function kindOf({ found }: PersonalColumn): Kind | undefined {
  return 'places' in found ? undefined : found.detection.kind;
}
