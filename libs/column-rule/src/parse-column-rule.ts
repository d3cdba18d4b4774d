import type {
  ColumnRule,
  JsonPathRule,
  ParsedColumnRule,
  ProducingRule,
  RuleModifiers,
  Training,
} from './column-rule.js';
import { describeJsonPath, MAX_JSON_PATH, overlap, parseJsonPath } from './json-path.js';
import { describe, isObject, ValueReader, type JsonObject } from './read-value.js';

const MAX_PATTERN = 4096;
const MODEL_ID = /^[A-Za-z0-9_.-]{1,64}\/[A-Za-z0-9_.-]{1,128}$/;
/** The largest number of paths in one column. */
const MAX_PATHS = 100;
const MODIFIERS = ['nullable', 'transform', 'constraints', 'differs', 'unique', 'consistent'];
const TYPE_KEYS = [
  'type',
  'use',
  'params',
  'algorithm',
  'source',
  'values',
  'key',
  'where',
  'generation',
  'mode',
];

/**
 * Parses one column rule. Checks only the shape of the rule and looks up no models.
 * @param path the path of the rule in its document; the paths of problems begin with it
 * @param isStored true if the rule was accepted earlier, perhaps by a version that accepted more JSON paths
 * @returns the rule, or all of its problems
 */
export function parseColumnRule(
  rule: unknown,
  path: string,
  { isStored = false }: { readonly isStored?: boolean } = {},
): ParsedColumnRule {
  if (!isObject(rule)) {
    return { problems: [{ path, message: `expected an object as the column rule, got ${describe(rule)}` }] };
  }
  const reader = new ValueReader(rule, path);
  const parsed = parseForm(rule, reader, isStored);
  return parsed === undefined || reader.problems.length > 0
    ? { problems: reader.problems }
    : { rule: parsed };
}

function parseForm(rule: JsonObject, reader: ValueReader, isStored: boolean): ColumnRule | undefined {
  const forms = ['preserve', 'generator', 'type', 'use', 'json'].filter((key) => reader.has(key));
  if (forms.length !== 1) {
    return reader.fail('', 'expected exactly one of preserve, generator, type, use and json');
  }
  if (forms[0] === 'preserve') return parsePreserve(reader);
  if (forms[0] === 'json') return parseJson(reader, isStored);
  if (forms[0] !== 'generator') return parseInlineDefinition(rule, reader);

  const generator = reader.raw('generator');
  if (isObject(generator)) {
    reader.only(['generator', ...MODIFIERS]);
    const { unique, ...definition } = generator;
    const modifiers = parseModifiers(reader);
    if (unique !== undefined && typeof unique !== 'boolean')
      return reader.fail('generator.unique', `must be true or false, got ${describe(unique)}`);
    return { kind: 'definition', definition, ...modifiers, ...(unique === true ? { unique } : {}) };
  }
  if (typeof generator !== 'string') {
    return reader.fail(
      'generator',
      `must be "template", a model id or a definition, got ${describe(generator)}`,
    );
  }
  return generator === 'template' ? parseTemplate(reader) : parseModel(generator, reader);
}

function parsePreserve(reader: ValueReader): ColumnRule | undefined {
  reader.only(['preserve']);
  if (reader.raw('preserve') !== true)
    return reader.fail('preserve', 'must be true; to mask the column, remove preserve');
  return { kind: 'preserve' };
}

function parseJson(reader: ValueReader, isStored: boolean): ColumnRule | undefined {
  reader.only(['json']);
  const rules = reader.object('json');
  if (rules === undefined) return undefined;
  const entries = Object.entries(rules);
  if (entries.length === 0 || entries.length > MAX_PATHS) {
    return reader.fail('json', `expected 1 to ${MAX_PATHS} paths, got ${entries.length}`);
  }
  const paths: JsonPathRule[] = [];
  for (const [written, rule] of entries) {
    const key = `json${keyAsField(written)}`;
    const { steps, isForeign = false } = parseJsonPath(written) ?? {};
    if (steps === undefined || (isForeign && !isStored)) {
      reader.fail(key, `expected a path of at most ${MAX_JSON_PATH} characters; ${describeJsonPath}`);
      continue;
    }
    if (paths.some((other) => overlap(other.steps, steps))) {
      reader.fail(key, 'overlaps another path: remove one of the two');
      continue;
    }
    const path = reader.pathOf(key);
    const parsed = parsePathRule(rule, path);
    if ('problems' in parsed) reader.problems.push(...parsed.problems);
    else paths.push({ steps, rule: parsed.rule, path, ...(isForeign && { isOutdated: true }) });
  }
  return { kind: 'json', paths };
}

function parsePathRule(
  rule: unknown,
  path: string,
): { readonly rule: ProducingRule } | Extract<ParsedColumnRule, { problems: unknown }> {
  // This check comes first, because parsing deeply nested rules would overflow the stack.
  if (isObject(rule) && Object.hasOwn(rule, 'json')) {
    return { problems: [{ path: `${path}.json`, message: 'write the whole path as one key' }] };
  }
  const parsed = parseColumnRule(rule, path);
  if ('problems' in parsed) return parsed;
  const made = parsed.rule;
  if (made.kind === 'preserve' || made.kind === 'json') {
    return { problems: [{ path, message: 'values without a rule are preserved: remove this path' }] };
  }
  if (made.kind === 'model' && made.train !== undefined) {
    return {
      problems: [{ path: `${path}.train`, message: 'a model can be trained only on a whole column' }],
    };
  }
  if (made.unique === true) {
    return { problems: [{ path: `${path}.unique`, message: 'can be set only for a whole column' }] };
  }
  return { rule: made };
}

function keyAsField(key: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(key) && key.length <= 100) return `.${key}`;
  return `[${JSON.stringify(key.length > 100 ? `${key.slice(0, 100)}…` : key)}]`;
}

function parseTemplate(reader: ValueReader): ColumnRule | undefined {
  reader.only(['generator', 'pattern', ...MODIFIERS]);
  const modifiers = parseModifiers(reader);
  if (modifiers.constraints !== undefined) reader.fail('constraints', 'have no effect on a template');
  if (!reader.has('pattern')) return reader.fail('pattern', 'a template rule needs a pattern');
  const pattern = reader.string('pattern', MAX_PATTERN);
  return pattern === undefined ? undefined : { kind: 'template', pattern, ...modifiers };
}

function parseModel(modelId: string, reader: ValueReader): ColumnRule | undefined {
  reader.only(['generator', 'generation', 'train', ...MODIFIERS]);
  if (!MODEL_ID.test(modelId)) {
    return reader.fail(
      'generator',
      `must be "template" or a model id like en_US/first_names, got ${describe(modelId)}`,
    );
  }
  const generation = reader.object('generation');
  const train = parseTraining(modelId, reader);
  return { kind: 'model', modelId, ...present({ generation, train }), ...parseModifiers(reader) };
}

function parseTraining(modelId: string, reader: ValueReader): Training | undefined {
  const train = reader.object('train');
  if (train === undefined) return undefined;
  if (!modelId.startsWith('private/')) {
    return reader.fail('train', 'only a model of the form private/<name> can be trained by a job');
  }
  const options = new ValueReader(train, '');
  options.only(['order', 'min_values']);
  const order = options.integer('order', 2, 8) ?? 4;
  const minValues = options.integer('min_values', 1, 1_000_000) ?? 5;
  for (const { path, message } of options.problems) reader.fail(`train${path}`, message);
  return { order, minValues };
}

function parseInlineDefinition(rule: JsonObject, reader: ValueReader): ColumnRule {
  reader.only([...TYPE_KEYS, ...MODIFIERS]);
  const definition = Object.fromEntries(Object.entries(rule).filter(([key]) => !MODIFIERS.includes(key)));
  return { kind: 'definition', definition, ...parseModifiers(reader) };
}

function parseModifiers(reader: ValueReader): RuleModifiers {
  return present({
    nullable: parseNullable(reader),
    transform: reader.string('transform', MAX_PATTERN),
    constraints: reader.object('constraints'),
    differs: reader.boolean('differs'),
    // An explicit false gives the same rule as an absent modifier.
    consistent: reader.boolean('consistent') === true ? true : undefined,
    unique: reader.boolean('unique') === true ? true : undefined,
  });
}

function parseNullable(reader: ValueReader): number | undefined {
  const value = reader.raw('nullable');
  if (value === undefined || value === false) return undefined;
  if (value === true) return 0.1;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  return reader.fail('nullable', `must be true, false or a number from 0 to 1, got ${describe(value)}`);
}

/** Returns the entries that are not undefined. */
function present<T extends object>(entries: T): Partial<T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Partial<T>;
}
