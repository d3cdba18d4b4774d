import { writeExactJson } from '@understudy/expression';
import {
  compileDefinition,
  compileTemplate,
  type CountedPlan,
  DefinitionError,
  type CompileOptions,
  type DefinitionPlan,
} from '@understudy/generator';

import { type FieldProblem, fieldPath } from '@understudy/sync-job';
import { type ProducingRule, definitionOfRule } from './column-rule.js';
import { tooFewToDiffer } from './differing-values.js';
import { parseColumnRule } from './parse-column-rule.js';

/** The unchecked rules of one table, by column. */
export interface RuledTable {
  /** The path of `columns` in the request. The paths of problems begin with it. */
  readonly path: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** A rule of a column, or of a path inside the column's JSON documents. */
interface RuledColumn {
  readonly name: string;
  readonly path: string;
  readonly rule: ProducingRule;
}

/** A column whose rule reads another column of the same row. */
interface Reference {
  readonly from: string;
  readonly to: string;
  /** The path of the rule. */
  readonly path: string;
}

/** The result of checking rules. */
export interface RuleCheck {
  readonly problems: readonly FieldProblem[];
  /** Warnings about options that have no effect in their rule. */
  readonly warnings: readonly FieldProblem[];
}

/** The largest number of problems to report. */
const MAX_PROBLEMS = 1_000;
/** The largest number of columns to list in a message about a cycle. */
const MAX_CYCLE_NAMES = 10;

/**
 * Parses the rules of tables and compiles them as an agent does. Finds every problem that can be found
 * without rows. Private models exist only on agents, so a rule that names a private model is compiled with a
 * public one. Cost: milliseconds for each model with constraints. Do not call this function on the event loop
 * of a server.
 */
export function checkColumnRules(tables: readonly RuledTable[], options: CompileOptions): RuleCheck {
  const found = tables.map((table) => checkTable(table, options));
  return {
    problems: found.flatMap(({ problems }) => problems).slice(0, MAX_PROBLEMS),
    warnings: found.flatMap(({ warnings }) => warnings).slice(0, MAX_PROBLEMS),
  };
}

function checkTable({ columns, path }: RuledTable, options: CompileOptions): RuleCheck {
  const problems: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  const ruled: RuledColumn[] = [];
  for (const [name, rule] of Object.entries(columns)) {
    const here = fieldPath(path, name);
    const parsed = parseColumnRule(rule, here);
    if ('problems' in parsed) problems.push(...parsed.problems.map(asField));
    else if (parsed.rule.kind === 'json')
      ruled.push(...parsed.rule.paths.map(({ path: at, rule: made }) => ({ name, path: at, rule: made })));
    else if (parsed.rule.kind !== 'preserve') ruled.push({ name, path: here, rule: parsed.rule });
  }
  const produced = [...new Set(ruled.map(({ name }) => name))];
  const references = new Map<string, readonly Reference[]>();
  const plans: { readonly column: RuledColumn; readonly plan: DefinitionPlan }[] = [];
  const known = new Map<string, ReturnType<typeof compile>>();
  for (const column of ruled) {
    // Many columns have the same rule. Problems and warnings contain the path, so their rules are compiled again.
    const written = writeExactJson(column.rule);
    const compiled = known.get(written) ?? compile(column, produced, options);
    if ('plan' in compiled && compiled.plan.warnings.length === 0) known.set(written, compiled);
    if ('problems' in compiled) problems.push(...compiled.problems);
    else {
      const { name, path: at } = column;
      const made = compiled.plan.references.map((to) => ({ from: name, to, path: at }));
      references.set(name, [...(references.get(name) ?? []), ...made]);
      warnings.push(...compiled.plan.warnings.map(asField));
      plans.push({ column, plan: compiled.plan });
    }
  }
  problems.push(...cycles(references));
  // If one rule has a problem, the values of the others cannot be counted.
  return { problems: problems.length > 0 ? problems : fewValues(plans, produced), warnings };
}

/**
 * Returns a problem for each rule with `differs` that can produce too few distinct values. An agent's policy
 * may demand more values, but this check does not know the policy.
 */
function fewValues(
  plans: readonly { readonly column: RuledColumn; readonly plan: DefinitionPlan }[],
  bindings: readonly string[],
): FieldProblem[] {
  const columns = new Map(plans.map(({ column, plan }) => [column.name, counted(plan)]));
  return plans.flatMap(({ column: { rule, path }, plan }) => {
    if (rule.differs !== true) return [];
    const message = tooFewToDiffer({ plan: counted(plan), columns, bindings });
    return message === undefined ? [] : [{ field: `${path}.differs`, message }];
  });
}

function counted(plan: DefinitionPlan): CountedPlan {
  const { references, variety } = plan;
  return { value: plan.value.bind(plan), references, variety, textOf };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? writeExactJson(value) : String(value);
}

function compile(
  { rule, path }: RuledColumn,
  produced: readonly string[],
  options: CompileOptions,
): { plan: DefinitionPlan } | { problems: FieldProblem[] } {
  try {
    const context = { ...options, path, bindings: produced };
    const plan =
      rule.kind === 'template'
        ? compileTemplate(rule.pattern, {
            ...context,
            path: `${path}.pattern`,
            modifiers: {
              ...(rule.nullable === undefined ? {} : { nullable: rule.nullable }),
              ...(rule.transform === undefined ? {} : { transform: rule.transform }),
            },
            modifiersPath: path,
          })
        : compileDefinition(checkableDefinition(rule), context);
    if (rule.consistent === true && plan.references.some((name) => produced.includes(name))) {
      return {
        problems: [{ field: `${path}.consistent`, message: 'a consistent rule cannot read other columns' }],
      };
    }
    if (rule.consistent === true && plan.countsRows) {
      return { problems: [{ field: `${path}.consistent`, message: 'a consistent rule cannot count rows' }] };
    }
    return { plan };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { problems: error.problems.map(asField).map((problem) => asWritten(problem, rule, path)) };
  }
}

/** The public model that is compiled instead of a private model. */
const SUBSTITUTE = 'en_US/first_names';

/**
 * Returns the definition to compile. Replaces a private model with a public one and then drops the
 * constraints, which apply only to the values of the private model.
 */
function checkableDefinition(rule: Exclude<ProducingRule, { kind: 'template' }>): Record<string, unknown> {
  const definition = definitionOfRule(rule);
  if (rule.kind !== 'model' || !rule.modelId.startsWith('private/')) return definition;
  return { ...definition, source: SUBSTITUTE, constraints: {} };
}

/**
 * Finds cycles of columns whose rules read each other's values. A rule that reads its own column is also a
 * cycle. Reports a cycle at the column at which it was found, and at most one cycle for each column.
 */
function cycles(references: ReadonlyMap<string, readonly Reference[]>): FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  const done = new Set<string>();
  const trail: Reference[] = [];
  const visit = (name: string): void => {
    if (done.has(name)) return;
    const start = trail.findIndex(({ from }) => from === name);
    const first = trail[start];
    if (first !== undefined) {
      if (!problems.has(name)) problems.set(name, cycleProblem(first, trail.slice(start)));
      return;
    }
    for (const reference of references.get(name) ?? []) {
      trail.push(reference);
      visit(reference.to);
      trail.pop();
    }
    done.add(name);
  };
  for (const name of references.keys()) visit(name);
  return [...problems.values()];
}

function cycleProblem({ from, path }: Reference, cycle: readonly Reference[]): FieldProblem {
  const names = cycle.slice(0, MAX_CYCLE_NAMES).map((reference) => reference.from);
  if (cycle.length > MAX_CYCLE_NAMES) names.push('…');
  return { field: path, message: `refers to itself: ${[...names, from].join(' → ')}` };
}

/**
 * Returns a problem with a path in the job's rule. The key `source` of a definition is called `generator` in
 * a rule.
 */
function asWritten(problem: FieldProblem, rule: ProducingRule, path: string): FieldProblem {
  if (rule.kind !== 'model' || problem.field !== `${path}.source`) return problem;
  return { ...problem, field: `${path}.generator` };
}

function asField({ path, message }: { path: string; message: string }): FieldProblem {
  return { field: path, message };
}
