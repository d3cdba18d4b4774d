import type { LeftOutObject } from '@understudy/sync-engine';
import { LEFT_OUT_KINDS, leftOutText } from '@understudy/sync-job';

import { formatBytes } from '../../terminal/numbers.js';
import { printable } from '../../terminal/printable.js';
import type { Listed } from './sync-report.js';

/** The number of names of one kind that are printed. `--json` prints all names. */
const MAX_NAMES = 20;

/** Describes objects that a run did not copy or refresh, and what it may do, in lines for a terminal. */
export function namesText(names: Listed): readonly string[] {
  return linesOf(names).map(printable);
}

function linesOf(names: Listed): readonly string[] {
  switch (names.about) {
    case 'policy':
      return [
        "fields of the job file that are keys of an agent's policy:",
        ...Object.entries(names.fields).map(([name, value]) => `  ${name}: ${value ?? 'not set'}`),
      ];
    case 'unlisted_tables':
      return ['tables that the job neither lists nor ignores:', `  ${listed(names.tables)}`];
    case 'omitted':
      return ['code of the source that the job leaves out:', `  ${listed(names.objects)}`];
    case 'left_out':
      return ['not in the target:', ...byKind(names.objects)];
    case 'target_only':
      return ['only in the target, and gone when it is replaced:', ...byKind(names.objects)];
    case 'made_invoker':
      return ['functions that are SECURITY INVOKER in the target:', `  ${listed(names.objects)}`];
    case 'excluded':
      return ['left out of the new database:', `  ${listed(names.objects)}`];
    case 'personal_definitions':
      return ['definitions that mention a person, and are copied unchanged:', `  ${listed(names.objects)}`];
    case 'room':
      return [
        `room on the server's disk: ${formatBytes(names.neededBytes)} needed, ${formatBytes(names.heldBytes)} taken by the target`,
      ];
    case 'missing_roles':
      return ['roles that the target server does not have:', `  ${listed(names.roles)}`];
    case 'ungranted':
      return ['objects that only their owner may use in the new database:', `  ${listed(names.objects)}`];
    case 'in_the_way':
      return [
        'in the way when the target is replaced:',
        ...names.blockers.map(
          ({ kind, name, remedy }) => `  ${kind.replaceAll('_', ' ')} ${name}: ${remedy}`,
        ),
      ];
    case 'orphans':
      return [
        'rows that reference rows which the copy does not have:',
        ...names.keys.map(
          ({ table, key, columns, rows }) => `  ${table}: ${rows}, by ${key} (${columns.join(', ')})`,
        ),
      ];
    case 'not_refreshed':
      return [
        'to refresh the materialized views of the target:',
        ...names.statements.map((sql) => `  ${sql}`),
      ];
  }
}

function byKind(objects: readonly LeftOutObject[]): readonly string[] {
  return LEFT_OUT_KINDS.flatMap((kind) => {
    const own = objects.filter((object) => object.kind === kind).map(({ name }) => name);
    return own.length === 0 ? [] : [`  ${leftOutText(kind, own.length)}: ${listed(own)}`];
  });
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
