import type { SyncJobDefinition } from '@understudy/client';
import { exactFieldPath } from '@understudy/sync-job';

import { FORM_NOTES } from '../texts.js';
import type { ColumnForm, JobForm } from './job-form.js';
import { fromRequest } from './read-request.js';

/** Returns the form of a job that the user copies. The parts that the server withholds are empty. */
export function fromDefinition({ definition, withheld }: SyncJobDefinition): JobForm {
  const { source, target, agent } = definition;
  return {
    ...fromRequest(definition, (name, rule, path) =>
      toColumn(name, rule, exactFieldPath(path, name), withheld),
    ),
    source: source.connection_string ?? '',
    target: target.connection_string ?? '',
    ...(agent && { agent }),
  };
}

function toColumn(name: string, rule: unknown, path: string, withheld: readonly string[]): ColumnForm {
  const isWithheld = withheld.some((each) => isWithin(each, path));
  return { name, rule: rule ?? undefined, ...(isWithheld && { note: FORM_NOTES.withheldRule }) };
}

/** Returns whether a path is another one, or below it. */
export function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);
}
