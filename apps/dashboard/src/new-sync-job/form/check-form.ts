import { checkReplacedDatabases, fieldPath, type FieldProblem, readSyncRequest } from '@understudy/sync-job';

import { CHECK_TEXTS } from '../texts.js';
import { type JobForm, plainOptions, statusOf, type TableForm } from './job-form.js';
import { columnAt, type FormProblem, locationOf } from './form-location.js';
import { toRequest } from './write-request.js';

/** The problems of the rules of a table, with paths that begin with `columns`. Undefined while they are unknown. */
export type RuleProblems = (columns: TableForm['columns']) => readonly FieldProblem[] | undefined;

/**
 * Returns every problem of a form that can be found without the server, in the order of the form. It uses the checks
 * of the API, except those of connection URLs and conditions.
 */
export function checkForm(form: JobForm, ruleProblems: RuleProblems): readonly FormProblem[] {
  const problems: FieldProblem[] = [
    ...checkDatabase('source', form.source),
    ...checkDatabase('target', form.target),
  ];
  if (problems.length === 0)
    problems.push(...checkReplacedDatabases({ ...plainOptions(form), ...databasesOf(form) }));
  if (form.name.trim() === '') problems.push({ field: 'name', message: CHECK_TEXTS.nameMissing });
  if (form.tables.length === 0) problems.push({ field: 'tables', message: CHECK_TEXTS.noTable });
  else problems.push(...checkRequest(form));
  return [
    ...problems.map((problem) => ({ ...problem, location: locationOf(problem.field, form) })),
    ...form.tables.flatMap((table, index) => checkTable(table, fieldPath('tables', index), ruleProblems)),
  ];
}

function databasesOf({ source, target }: JobForm) {
  return { source: { connection_string: source.trim() }, target: { connection_string: target.trim() } };
}

function checkDatabase(field: 'source' | 'target', text: string): FieldProblem[] {
  const path = `${field}.connection_string`;
  if (text.trim() === '') return [{ field: path, message: CHECK_TEXTS.databaseMissing }];
  return /^(agent:.|postgres(ql)?:\/\/.)/.test(text.trim())
    ? []
    : [{ field: path, message: CHECK_TEXTS.databaseInvalid }];
}

function checkRequest(form: JobForm): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const { name, ...request } = toRequest(form, { dryRun: false });
  readSyncRequest(name === '' ? request : { name, ...request }, problems);
  return problems;
}

function checkTable(table: TableForm, path: string, ruleProblems: RuleProblems): FormProblem[] {
  const { columns, where, needsWhere = false, isEmpty = false } = table;
  if (isEmpty) return [];
  const ofColumn = (field: string, message: string, column: string | undefined): FormProblem => ({
    ...{ field: `${path}.${field}`, message },
    location:
      column === undefined ? { kind: 'table', table, part: 'columns' } : { kind: 'column', table, column },
  });
  return [
    ...(needsWhere && where === ''
      ? [
          {
            field: `${path}.subset.where`,
            message: CHECK_TEXTS.whereMissing,
            location: { kind: 'table', table, part: 'where' },
          } as const,
        ]
      : []),
    ...columns
      .filter((column) => statusOf(column) === 'open')
      .map(({ name }) => ofColumn(fieldPath('columns', name), CHECK_TEXTS.undecided, name)),
    ...(ruleProblems(columns) ?? []).map(({ field, message }) =>
      ofColumn(field, message, columnAt(field, 'columns', table)),
    ),
  ];
}

/**
 * Returns the problems that the server found, without those of parts that changed since.
 * @param sent the form that was sent
 */
export function serverProblems(
  details: readonly FieldProblem[],
  sent: JobForm,
  form: JobForm,
): readonly FormProblem[] {
  return details.flatMap((problem) => {
    const location = locationOf(problem.field, sent);
    return isUnchanged(location, sent, form) ? [{ ...problem, location }] : [];
  });
}

function isUnchanged(location: FormProblem['location'], sent: JobForm, form: JobForm): boolean {
  if (location.kind === 'form') return sent === form;
  if (location.kind === 'field') return sent[location.field] === form[location.field];
  return form.tables.includes(location.table);
}
