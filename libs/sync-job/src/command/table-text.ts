import { parseKeptJson, writeExactJson } from '@understudy/expression';

import { readDeclared, unknownFields } from '../request/declaration.js';
import { SYNC_REQUEST, type SyncRequest } from '../request/job.js';
import { type TableRules, toDefinition, toRequest } from './job-definition.js';

/** The maximum size of the text. Rules can be a little larger than in the request, because numbers get all digits. */
export const MAX_TABLES_BYTES = 40 * 1024 * 1024;

/** Writes tables as a request has them: a JSON array without spaces, whose items are the tables. */
export function writeTables(tables: readonly TableRules[]): string {
  return writeExactJson(toRequest({ unlistedColumns: 'preserve', tables }).tables);
}

/**
 * Reads the text that {@link writeTables} returned.
 * @throws SyntaxError if it is no JSON · TypeError if a request could not have these tables
 */
export function readTables(text: string): readonly TableRules[] {
  const { tables } = SYNC_REQUEST.properties;
  const value = parseKeptJson(text);
  const problems = unknownFields(tables, value, 'tables');
  const read = readDeclared(tables, value, 'tables', problems) as SyncRequest['tables'];
  if (problems.length > 0) throw new TypeError('expected the tables of a request');
  return toDefinition({ tables: read }).tables;
}
