import type {
  ColumnRule,
  JsonRulePlace,
  ParsedColumnRule,
  ProducingRule,
  RuleModifiers,
  Training,
} from './column-rule.js';
import { describeJsonPath, MAX_JSON_PATH, meet, parseJsonPath } from './json-path.js';
import { describe, isObject, ValueReader, type JsonObject } from './read-value.js';

const MAX_PATTERN = 4096;
const MODEL_ID = /^[A-Za-z0-9_.-]{1,64}\/[A-Za-z0-9_.-]{1,128}$/;
/** Places of one column. */
const MAX_PLACES = 100;
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
 * Checks the shape of one column rule. Knows no models and compiles nothing.
 * @param path where the rule stands in its document; problems are written below it
 * @returns the rule, or all of its problems
 */
export function parseColumnRule(rule: unknown, path: string): ParsedColumnRule {
  if (!isObject(rule)) {
    return { problems: [{ path, message: `a column rule is an object, got ${describe(rule)}` }] };
  }
  const reader = new ValueReader(rule, path);
  const parsed = parseForm(rule, reader);
  return parsed === undefined || reader.problems.length > 0
    ? { problems: reader.problems }
    : { rule: parsed };
}

function parseForm(rule: JsonObject, reader: ValueReader): ColumnRule | undefined {
  const forms = ['preserve', 'generator', 'type', 'use', 'json'].filter((key) => reader.has(key));
  if (forms.length !== 1) {
    return reader.fail('', 'a rule has exactly one of preserve, generator, type, use and json');
  }
  if (forms[0] === 'preserve') return parsePreserve(reader);
  if (forms[0] === 'json') return parseJson(reader);
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
    return reader.fail('preserve', 'must be true; leave the rule out otherwise');
  return { kind: 'preserve' };
}

function parseJson(reader: ValueReader): ColumnRule | undefined {
  reader.only(['json']);
  const rules = reader.object('json');
  if (rules === undefined) return undefined;
  const entries = Object.entries(rules);
  if (entries.length === 0 || entries.length > MAX_PLACES) {
    return reader.fail('json', `takes 1 to ${MAX_PLACES} paths, got ${entries.length}`);
  }
  const places: JsonRulePlace[] = [];
  for (const [written, rule] of entries) {
    const key = `json${keyAsField(written)}`;
    const steps = parseJsonPath(written);
    if (steps === undefined) {
      reader.fail(key, `is no path of at most ${MAX_JSON_PATH} characters; ${describeJsonPath}`);
      continue;
    }
    if (places.some((place) => meet(place.steps, steps))) {
      reader.fail(key, 'reaches the same place as another path, or one inside it');
      continue;
    }
    const path = reader.pathOf(key);
    const parsed = parsePlaceRule(rule, path);
    if ('problems' in parsed) reader.problems.push(...parsed.problems);
    else places.push({ steps, rule: parsed.rule, path });
  }
  return { kind: 'json', places };
}

function parsePlaceRule(
  rule: unknown,
  path: string,
): { readonly rule: ProducingRule } | Extract<ParsedColumnRule, { problems: unknown }> {
  // Before it is read: rules could stand in each other as deep as a request allows.
  if (isObject(rule) && Object.hasOwn(rule, 'json')) {
    return { problems: [{ path: `${path}.json`, message: 'write the whole path as one key' }] };
  }
  const parsed = parseColumnRule(rule, path);
  if ('problems' in parsed) return parsed;
  const made = parsed.rule;
  if (made.kind === 'preserve' || made.kind === 'json') {
    return { problems: [{ path, message: 'what no path names is preserved; leave the path out' }] };
  }
  if (made.kind === 'model' && made.train !== undefined) {
    return { problems: [{ path: `${path}.train`, message: 'a model is trained on whole columns only' }] };
  }
  if (made.unique === true) {
    return { problems: [{ path: `${path}.unique`, message: 'holds for whole columns only' }] };
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
    // Written as false it is the same rule as without it.
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

/** The entries that are not undefined, so that a rule has only the keys it was given. */
function present<T extends object>(entries: T): Partial<T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Partial<T>;
}
