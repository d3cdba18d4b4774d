/**
 * A job's rule for one column. The shape of the rule is valid. The model and the names in the rule are
 * checked when it is compiled.
 */
export type ColumnRule = PreserveRule | ProducingRule | JsonRule;

/** A rule that produces one value. */
export type ProducingRule = ModelRule | TemplateRule | DefinitionRule;

/** Keeps the original value. */
export interface PreserveRule {
  readonly kind: 'preserve';
}

/** Generates a value from a model. */
export interface ModelRule extends RuleModifiers {
  readonly kind: 'model';
  /** The model's id: `<locale>/<name>`, `custom/<name>` or `private/<name>`. */
  readonly modelId: string;
  readonly generation?: Readonly<Record<string, unknown>>;
  /** Trains the private model on this column before rows are copied. */
  readonly train?: Training;
}

/** Generates a text from a template, which can read the new values of the row's other columns by name. */
export interface TemplateRule extends RuleModifiers {
  readonly kind: 'template';
  readonly pattern: string;
}

/**
 * Generates a value from a generator definition (with `type` or `use`). Modifiers such as `nullable` are
 * properties of this object, not of `definition`.
 */
export interface DefinitionRule extends RuleModifiers {
  readonly kind: 'definition';
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Masks values at paths inside a json or jsonb column. The rest of the document is preserved. */
export interface JsonRule {
  readonly kind: 'json';
  /** One or more paths that do not overlap: no two match the same value, and none is inside another. */
  readonly paths: readonly JsonPathRule[];
}

export interface JsonPathRule {
  readonly steps: JsonSteps;
  readonly rule: ProducingRule;
  /** The path of the rule in the job, for messages: `tables[0].columns.doc.json["contact.email"]`. */
  readonly path: string;
  /** True for a path of a stored job that a new job could not have. */
  readonly isOutdated?: true;
}

/**
 * The steps from the root of a document: the key of a member, the index of an element from 0, or null for every
 * element. At least one step.
 */
export type JsonSteps = readonly (string | number | null)[];

export interface RuleModifiers {
  /** The probability, from 0 to 1, that a value is replaced with NULL. */
  readonly nullable?: number;
  /**
   * An expression that computes the new value. In the expression, `value` is the value that the rule
   * produced.
   */
  readonly transform?: string;
  readonly constraints?: Readonly<Record<string, unknown>>;
  /**
   * Retries until the new value differs from the row's original value. If absent, the column's type decides
   * whether to retry.
   */
  readonly differs?: boolean;
  /** Derives the new value from the original value instead of from the row key. */
  readonly consistent?: boolean;
  /**
   * Makes all values except NULLs unique. Not needed for unique keys that exist in the database, which the
   * agent keeps unique anyway.
   */
  readonly unique?: true;
}

export interface Training {
  /** The n-gram order, from 2 to 8. */
  readonly order: number;
  /**
   * The smallest number of distinct training values in which a transition must occur. Rarer transitions are
   * dropped.
   */
  readonly minValues: number;
}

/** A problem of a rule, with a path such as `tables[0].columns.email.pattern`. */
export interface RuleProblem {
  readonly path: string;
  readonly message: string;
}

export type ParsedColumnRule = { readonly rule: ColumnRule } | { readonly problems: readonly RuleProblem[] };

/**
 * Returns the generator definition of a rule with its modifiers, for `compileDefinition`. For a template rule, use
 * `compileTemplate` instead.
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
