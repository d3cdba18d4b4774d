import type { Kind, NamesBeside } from '@understudy/personal-data';
import type { PersonalColumn, TableFindings } from './findings.js';

/** The name columns of a table; undefined where it has none that an address could be made of. */
export function namesBeside({ personal }: TableFindings): NamesBeside | undefined {
  const of = (kind: Kind) => {
    const found = personal.find((one) => kindOf(one) === kind && !one.column.isArray);
    return found && { name: found.column.name, isNullable: !found.column.notNull };
  };
  const [first, last, full] = [of('first_name'), of('last_name'), of('full_name')];
  if (first === undefined && last === undefined && full === undefined) return undefined;
  return { ...(first && { first }), ...(last && { last }), ...(full && { full }) };
}

/**
 * Addresses that stand alone, of which each may be one of a person in another table: then an address has to become the same one everywhere, and
 * cannot follow a row's names.
 */
export function hasAddressesAlone(findings: readonly TableFindings[]): boolean {
  return findings.some(
    (table) =>
      table.personal.some(({ found }) => 'places' in found && found.places.some(isOfEmails)) ||
      (table.personal.some((one) => kindOf(one) === 'email') && namesBeside(table) === undefined),
  );
}

function isOfEmails({ detection }: { readonly detection: { readonly kind: Kind } }): boolean {
  return detection.kind === 'email';
}

function kindOf({ found }: PersonalColumn): Kind | undefined {
  return 'places' in found ? undefined : found.detection.kind;
}
