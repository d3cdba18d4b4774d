import { parseColumnRule } from '@understudy/column-rule';
import type { ColumnDescription, TableDescription } from '../postgres/describe-table.js';
import type { TableRules, UnlistedColumns } from './sync-job-command.js';
import { SyncJobError } from './sync-job-error.js';
import type { ColumnFill, ColumnPlan } from './table-plan.js';

export interface ColumnPlanRequest {
  readonly tableIndex: number;
  readonly rules: TableRules;
  readonly unlisted: UnlistedColumns;
  readonly source: TableDescription;
  readonly refusesPreserve: (column: string) => boolean;
}

/**
 * Decides what becomes of each column of a table. Pure.
 * @throws SyncJobError column_not_found, column_unlisted, rule_invalid, policy_denied
 */
export function planColumns(request: ColumnPlanRequest): readonly ColumnPlan[] {
  const { tableIndex, rules, source } = request;
  const listed = new Map<string, { fill: ColumnFill; index: number }>();
  rules.columns.forEach(({ name, rule }, columnIndex) => {
    const description = source.columns.find((column) => column.name === name);
    if (description === undefined)
      throw new SyncJobError({ code: 'column_not_found', side: 'source', tableIndex, columnIndex });
    if (listed.has(name)) throw invalid(tableIndex, columnIndex, 'the column is listed twice');
    const fill = fillOf(rule, tableIndex, columnIndex, name);
    if (description.isGenerated && fill.kind === 'produce') {
      throw invalid(tableIndex, columnIndex, 'a generated column takes no rule: the database computes it');
    }
    if (fill.kind === 'produce' && fill.rule.kind === 'json' && !description.isJson) {
      throw invalid(tableIndex, columnIndex, 'a rule with json paths needs a column of type json or jsonb');
    }
    listed.set(name, { fill, index: columnIndex });
  });
  return source.columns
    .filter((column) => !column.isGenerated)
    .map((description) => {
      const found = listed.get(description.name);
      const fill = found?.fill ?? fillOfUnlisted(description, request);
      if (keepsOriginals(fill) && request.refusesPreserve(description.name)) {
        throw new SyncJobError({ code: 'policy_denied', tableIndex, ...columnPlace(found?.index) });
      }
      return { description, fill };
    });
}

/** A rule with json paths keeps what no path names. */
function keepsOriginals(fill: ColumnFill): boolean {
  return fill.kind === 'preserve' || (fill.kind === 'produce' && fill.rule.kind === 'json');
}

function fillOf(rule: unknown, tableIndex: number, columnIndex: number, name: string): ColumnFill {
  const path = `tables[${tableIndex}].columns.${name}`;
  const parsed = parseColumnRule(rule, path);
  if ('problems' in parsed) {
    throw invalid(
      tableIndex,
      columnIndex,
      parsed.problems.map((problem) => `${problem.path}: ${problem.message}`).join('; '),
    );
  }
  return parsed.rule.kind === 'preserve'
    ? { kind: 'preserve' }
    : { kind: 'produce', rule: parsed.rule, path };
}

function fillOfUnlisted(column: ColumnDescription, { unlisted, tableIndex }: ColumnPlanRequest): ColumnFill {
  if (unlisted === 'preserve') return { kind: 'preserve' };
  if (unlisted === 'reject') throw new SyncJobError({ code: 'column_unlisted', tableIndex });
  // Keys are kept whatever becomes of the rest: rows without them are no rows of this table.
  if (column.keyPosition !== undefined || column.inForeignKey) return { kind: 'preserve' };
  if (column.notNull) {
    throw new SyncJobError({
      code: 'constraint_violation',
      side: 'target',
      tableIndex,
      constraintKind: 'not_null',
    });
  }
  return { kind: 'null' };
}

function columnPlace(columnIndex: number | undefined): { columnIndex?: number } {
  return columnIndex === undefined ? {} : { columnIndex };
}

function invalid(tableIndex: number, columnIndex: number, reason: string): SyncJobError {
  return new SyncJobError({ code: 'rule_invalid', tableIndex, columnIndex }, { cause: new Error(reason) });
}
