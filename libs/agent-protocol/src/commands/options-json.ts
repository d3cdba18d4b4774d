import {
  type Declaration,
  type FieldProblem,
  OPTIONS,
  readDeclared,
  type RequestedOptions,
  unknownFields,
} from '@understudy/sync-job';

import { RunSyncJobSchema } from '../schema/index.js';

const hasField = (name: string): boolean => RunSyncJobSchema.fields.some((field) => field.name === name);

/** The options for which `RunSyncJob` has no field of its own. */
const WITHOUT_FIELD: Declaration = {
  type: 'object',
  properties: Object.fromEntries(Object.entries<Declaration>(OPTIONS).filter(([name]) => !hasField(name))),
};

/** Writes the declared options as a JSON object. @returns an empty text without any of them */
export function writeOptions(options: object, { properties = {} }: Declaration = WITHOUT_FIELD): string {
  const written = Object.entries(options).filter(([name]) => Object.hasOwn(properties, name));
  return written.length === 0 ? '' : JSON.stringify(Object.fromEntries(written));
}

/** @throws TypeError if an option is unknown or invalid, because the job would run without it; SyntaxError */
export function readOptions(text: string, declaration: Declaration = WITHOUT_FIELD): RequestedOptions {
  if (text === '') return {};
  const value: unknown = JSON.parse(text);
  const problems: FieldProblem[] = unknownFields(declaration, value, '');
  const read = readDeclared(declaration, value, '', problems);
  if (problems.length > 0) throw new TypeError('expected a JSON object of options that this agent knows');
  return read as RequestedOptions;
}
