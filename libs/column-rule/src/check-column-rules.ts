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

/** The rules of one table as they were sent: column → rule. */
export interface RuledTable {
  /** Where the columns stand in the request; problems are reported below it. */
  readonly path: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** A rule of a column, or of one place inside its documents. */
interface RuledColumn {
  readonly name: string;
  readonly path: string;
  readonly rule: ProducingRule;
}

/** What is wrong with rules, and what they ask for and do not get; each with its path. */
export interface RuleFindings {
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

/** Who sends tens of thousands of wrong rules reads the first of them. */
const MAX_PROBLEMS = 1_000;

/**
 * Reads the rules of tables and compiles them as the agent will, so that what can be known before a row is read is
 * known here. Private models live on the agents: rules that name one are compiled with a stand-in.
 * Cost: models under constraints take milliseconds a rule; not for the event loop.
 */
export function checkColumnRules(tables: readonly RuledTable[], options: CompileOptions): RuleFindings {
  const found = tables.map((table) => checkTable(table, options));
  return {
    problems: found.flatMap(({ problems }) => problems).slice(0, MAX_PROBLEMS),
    warnings: found.flatMap(({ warnings }) => warnings).slice(0, MAX_PROBLEMS),
  };
}

function checkTable({ columns, path }: RuledTable, options: CompileOptions): RuleFindings {
  const problems: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  const ruled: RuledColumn[] = [];
  for (const [name, rule] of Object.entries(columns)) {
    const here = fieldPath(path, name);
    const parsed = parseColumnRule(rule, here);
    if ('problems' in parsed) problems.push(...parsed.problems.map(asField));
    else if (parsed.rule.kind === 'json')
      ruled.push(...parsed.rule.places.map(({ path: at, rule: made }) => ({ name, path: at, rule: made })));
    else if (parsed.rule.kind !== 'preserve') ruled.push({ name, path: here, rule: parsed.rule });
  }
  const produced = [...new Set(ruled.map(({ name }) => name))];
  const references = new Map<string, readonly string[]>();
  const plans: { readonly column: RuledColumn; readonly plan: DefinitionPlan }[] = [];
  for (const column of ruled) {
    const compiled = compile(column, produced, options);
    if ('problems' in compiled) problems.push(...compiled.problems);
    else {
      references.set(column.name, [...(references.get(column.name) ?? []), ...compiled.plan.references]);
      warnings.push(...compiled.plan.warnings.map(asField));
      plans.push({ column, plan: compiled.plan });
    }
  }
  problems.push(...circles(ruled, references));
  // With a rule missing it is not known what the others make of it.
  return { problems: problems.length > 0 ? problems : fewValues(plans, produced), warnings };
}

/** Whether an agent's policy protects a column, and would want more of its rule, is not known here. */
function fewValues(
  plans: readonly { readonly column: RuledColumn; readonly plan: DefinitionPlan }[],
  bindings: readonly string[],
): FieldProblem[] {
  const columns = new Map(plans.map(({ column, plan }) => [column.name, counted(plan)]));
  return plans.flatMap(({ column: { rule, path }, plan }) => {
    if (rule.differs !== true) return [];
    const message = tooFewToDiffer({ plan: counted(plan), columns, bindings }, false);
    return message === undefined ? [] : [{ field: `${path}.differs`, message }];
  });
}

function counted(plan: DefinitionPlan): CountedPlan {
  const { references, variety } = plan;
  return { value: plan.value.bind(plan), references, variety, textOf };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
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
        problems: [{ field: `${path}.consistent`, message: 'a consistent rule reads no other column' }],
      };
    }
    if (rule.consistent === true && plan.countsRows) {
      return { problems: [{ field: `${path}.consistent`, message: 'a consistent rule counts no rows' }] };
    }
    return { plan };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { problems: error.problems.map(asField).map((problem) => asWritten(problem, rule, path)) };
  }
}

const STAND_IN = 'en_US/first_names';

/** Constraints are left out with the stand-in: whether they can be met depends on the model. */
function checkableDefinition(rule: Exclude<ProducingRule, { kind: 'template' }>): Record<string, unknown> {
  const definition = definitionOfRule(rule);
  if (rule.kind !== 'model' || !rule.modelId.startsWith('private/')) return definition;
  return { ...definition, source: STAND_IN, constraints: {} };
}

/** Columns that need each other's values, or their own, before there are any. */
function circles(
  ruled: readonly RuledColumn[],
  references: ReadonlyMap<string, readonly string[]>,
): FieldProblem[] {
  const done = new Set<string>();
  const open = new Set<string>();
  const inCircle = (name: string): boolean => {
    if (open.has(name)) return true;
    if (done.has(name)) return false;
    open.add(name);
    const found = (references.get(name) ?? []).some(inCircle);
    open.delete(name);
    done.add(name);
    return found;
  };
  return ruled
    .filter(({ name }) => inCircle(name))
    .map(({ path }) => ({ field: path, message: 'refers to itself, directly or by way of other columns' }));
}

/** A rule writes `generator` where the definition made of it has `source`. */
function asWritten(problem: FieldProblem, rule: ProducingRule, path: string): FieldProblem {
  if (rule.kind !== 'model' || problem.field !== `${path}.source`) return problem;
  return { ...problem, field: `${path}.generator` };
}

function asField({ path, message }: { path: string; message: string }): FieldProblem {
  return { field: path, message };
}
