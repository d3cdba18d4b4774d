/** What a job says about one column, checked in shape; whether its model and names exist is checked by compiling it. */
export type ColumnRule = PreserveRule | ProducingRule | JsonRule;

/** A rule that makes one value. */
export type ProducingRule = ModelRule | TemplateRule | DefinitionRule;

/** Keep the original value. */
export interface PreserveRule {
  readonly kind: 'preserve';
}

/** Fill from a model. */
export interface ModelRule extends RuleModifiers {
  readonly kind: 'model';
  /** `<locale>/<name>`, `custom/<name>` or `private/<name>`. */
  readonly modelId: string;
  readonly generation?: Readonly<Record<string, unknown>>;
  /** Train the named private model on this very column before rows are copied. */
  readonly train?: Training;
}

/** Fill from a template; it sees the row's other produced columns by name. */
export interface TemplateRule extends RuleModifiers {
  readonly kind: 'template';
  readonly pattern: string;
}

/** Fill from any generator definition (`type` or `use` form). Its modifiers have been moved to the rule. */
export interface DefinitionRule extends RuleModifiers {
  readonly kind: 'definition';
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Mask places inside a json or jsonb column; the rest of the document stays as it is. */
export interface JsonRule {
  readonly kind: 'json';
  /** At least one. No two of them can meet in one document, nor does one stand inside another. */
  readonly places: readonly JsonRulePlace[];
}

export interface JsonRulePlace {
  readonly steps: JsonSteps;
  readonly rule: ProducingRule;
  /** Where the rule stands in the job, for messages: `tables[0].columns.doc.json["contact.email"]`. */
  readonly path: string;
}

/** From a document's top: a member's key, an element's index from 0, or null for every element. At least one step. */
export type JsonSteps = readonly (string | number | null)[];

export interface RuleModifiers {
  /** Probability of a further NULL, 0 to 1. */
  readonly nullable?: number;
  /** Expression with `value` bound to what was produced. */
  readonly transform?: string;
  readonly constraints?: Readonly<Record<string, unknown>>;
  /** Draw again until the new value is not the row's own old one. Absent: the default of the column's type. */
  readonly differs?: boolean;
  /** The new value is a function of the original one, not of the row. */
  readonly consistent?: boolean;
  /** No value twice in the column; NULLs are exempt. Implied where the database wants it. */
  readonly unique?: true;
}

export interface Training {
  /** n-gram order, 2 to 8. */
  readonly order: number;
  /** A transition is kept when at least so many distinct values have it. */
  readonly minValues: number;
}

/** One fault of a rule. `path` is written like `tables[0].columns.email.pattern`. */
export interface RuleProblem {
  readonly path: string;
  readonly message: string;
}

export type ParsedColumnRule = { readonly rule: ColumnRule } | { readonly problems: readonly RuleProblem[] };

/**
 * The generator definition that a rule stands for, its modifiers included, as `compileDefinition` takes it. For a
 * template rule use `compileTemplate`, which takes `nullable` and `transform` beside the pattern.
 */
export function definitionOfRule(rule: ModelRule | DefinitionRule): Record<string, unknown> {
  const { nullable, transform, constraints } = rule;
  const modifiers = Object.fromEntries(
    Object.entries({ nullable, transform, constraints }).filter(([, value]) => value !== undefined),
  );
  if (rule.kind === 'definition') return { ...rule.definition, ...modifiers };
  const generation = rule.generation === undefined ? {} : { generation: rule.generation };
  return { type: 'model', source: rule.modelId, ...generation, ...modifiers };
}
