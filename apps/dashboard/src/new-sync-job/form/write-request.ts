import { isObject, parseSeed } from '@understudy/sync-job';

import { type JobForm, plainOptions, type TableForm } from './job-form.js';

/** A request that is not checked. */
export type WrittenRequest = ReturnType<typeof toRequest>;

/**
 * Returns the request that the form describes, also if the form is incomplete. A column without a decision has no rule
 * in it. A seed that is no number is sent as it is, so that its check reports it.
 */
export function toRequest(form: JobForm, { dryRun }: { readonly dryRun: boolean }) {
  const { name, source, target, agent, tables, seed, now, ...options } = form;
  return {
    name: name.trim(),
    source: { type: 'postgresql', connection_string: source.trim() },
    target: { type: 'postgresql', connection_string: target.trim() },
    ...(agent && { agent }),
    tables: tables.map((table) => toTable(table, form)),
    ...unlistedModes(form),
    ...plainOptions(options),
    ...(dryRun && { dry_run: true }),
    ...(seed.trim() !== '' && { seed: parseSeed(seed.trim()) ?? seed }),
    ...(now.trim() !== '' && { now: now.trim() }),
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A job that replaces a database rejects unlisted tables and columns. */
function unlistedModes({ replace, unlistedColumns, unlistedTables, ignoredTables }: JobForm) {
  if (replace === 'database') return { unlisted_columns: 'reject' };
  const ignored = linesOf(ignoredTables);
  return {
    unlisted_columns: unlistedColumns,
    ...(unlistedTables !== 'ignore' && {
      unlisted_tables: unlistedTables,
      ...(ignored.length > 0 && { ignored_tables: ignored }),
    }),
  };
}

function toTable({ isEmpty, name, columns, unlistedColumns, where, limit }: TableForm, { replace }: JobForm) {
  if (isEmpty === true) return { name: name.trim(), rows: 'none' };
  const decided = columns.flatMap(({ name: column, rule }) =>
    isObject(rule) ? [[column, rule] as const] : [],
  );
  return {
    name: name.trim(),
    ...(decided.length > 0 && { columns: Object.fromEntries(decided) }),
    ...(unlistedColumns && replace !== 'database' && { unlisted_columns: unlistedColumns }),
    ...((where !== '' || limit !== null) && {
      subset: { ...(where !== '' && { where }), ...(limit !== null && { limit }) },
    }),
  };
}
