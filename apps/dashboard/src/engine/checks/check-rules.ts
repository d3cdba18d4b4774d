import { writeExactJson } from '@understudy/expression';
import type { BuiltinLibrary } from '@understudy/builtin-models';
import { checkColumnRules, parseColumnRule } from '@understudy/column-rule';
import { type FieldProblem, fieldPath } from '@understudy/sync-job';

/** The rules of one table: the name and the rule of each column. */
export type WrittenRules = readonly (readonly [column: string, rule: unknown])[];

/**
 * Checks the rules of tables as the API does. Models and compositions of the organisation are not available here, so
 * of a rule that names one, only the form is checked.
 * @returns for each table its problems, with paths that begin with `columns`
 * @throws AssetError if a file of a built-in model cannot be fetched
 */
export function checkRules(
  tables: readonly WrittenRules[],
  library: BuiltinLibrary,
  nowMs: number,
): readonly (readonly FieldProblem[])[] {
  const { models, assets, registry } = library;
  return tables.map((rules) => {
    const problems: FieldProblem[] = [];
    const columns = rules.map(([name, rule]) => {
      if (!namesForeign(rule, library)) return [name, rule] as const;
      const parsed = parseColumnRule(rule, fieldPath('columns', name));
      if ('problems' in parsed)
        problems.push(...parsed.problems.map(({ path, message }) => ({ field: path, message })));
      return [name, SUBSTITUTE] as const;
    });
    const checked = checkColumnRules([{ path: 'columns', columns: Object.fromEntries(columns) }], {
      models,
      assets,
      registry,
      nowMs,
    });
    return [...problems, ...checked.problems];
  });
}

/** Other rules of the table may read the column of a rule that cannot be compiled here. */
const SUBSTITUTE = { type: 'svc', algorithm: 'uuid_v4' };

/** Returns whether a rule names a model or a composition that only the organisation can have. */
function namesForeign(rule: unknown, { registry }: BuiltinLibrary): boolean {
  const names = writeExactJson(rule).matchAll(/"(?:generator|source|use)":"([^"]*)"/g);
  return [...names].some(
    ([, name = '']) =>
      name.startsWith('custom/') || (/^@(?!svc\/|models\/)/.test(name) && !registry.find(name)),
  );
}
