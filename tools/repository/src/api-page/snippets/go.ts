import type { ApiModel, Field, Type } from '../../clients/api-model.js';
import { goMethod, goName, goParams, goService, GoTypes } from '../../clients/go-names.js';
import { EXAMPLE_FILE, type ExampleCall, type Json, type JsonObject } from '../example-call.js';
import { print, type Layout, type Style } from './layout.js';

/** Creates the client, in the first lines of a function. */
export const GO_SETUP = `ctx := context.Background()
client, err := understudy.New()
if err != nil {
	log.Fatal(err)
}`;

/** gofmt does not limit the width of lines. It aligns the values of a struct or map that has several lines. */
const STYLE: Style = { width: 100, indent: '\t', align: alignedValues };

/** Returns a function that writes the calls in Go, as gofmt formats them. */
export function goSnippets(api: ApiModel): (call: ExampleCall) => string {
  const literals = new GoLiterals(api);
  return (call) => literals.snippet(call);
}

class GoLiterals {
  readonly #types: GoTypes;

  constructor(api: ApiModel) {
    this.#types = new GoTypes(api);
  }

  snippet(call: ExampleCall): string {
    const { operation, path, query, body, file, result } = call;
    if (operation.streams) return this.#generateSnippet(body);
    const bodyType = operation.body?.type;
    const args: Layout[] = [
      'ctx',
      ...path.map((value) => JSON.stringify(value)),
      ...(operation.query.length > 0
        ? [
            this.#struct(
              goParams(operation),
              operation.query.map((field) => ({ ...field, required: true })),
              query,
            ),
          ]
        : []),
      ...(bodyType && bodyType.fields.length > 0
        ? [this.#struct(bodyType.name, bodyType.fields, body, file === undefined ? {} : { [file]: 'file' })]
        : []),
    ];
    const receiver = ['client', goService(operation), goMethod(operation)]
      .filter((name) => name !== '')
      .join('.');
    const head = `${result ?? '_'}, err ${result ? ':=' : '='} ${receiver}(`;
    const statement = print(
      [head, ...args.flatMap((arg, index) => (index > 0 ? [', ', arg] : [arg])), ')'],
      STYLE,
    );
    const lines = [...(operation.public ? [WITHOUT_TOKEN] : []), ...(file ? [READ_FILE] : []), statement];
    return lines.join('\n');
  }

  #generateSnippet({ schema = {}, count, seed }: JsonObject): string {
    const { name, fields } = this.#types.get('GenerateSchema');
    const literal = this.#struct(name, fields, schema as JsonObject);
    return `${print(['schema := ', literal], STYLE)}
records, err := client.Generate(ctx, schema, ${String(count)}, understudy.WithSeed(${String(seed)}))`;
  }

  /** @param given the code of fields that have no example */
  #struct(
    name: string,
    fields: readonly Field[],
    value: JsonObject,
    given: Readonly<Record<string, string>> = {},
  ): Layout {
    const items = fields
      .filter((field) => field.name in value || field.name in given)
      .map((field) => [
        `${goName(field.name)}: `,
        given[field.name] ?? this.#field(name, field, value[field.name] ?? null),
      ]);
    return composite(`understudy.${this.#types.name(name)}`, items);
  }

  #field(owner: string, field: Field, value: Json): Layout {
    const type = this.#types.ofField(owner, field, true);
    if (!type.startsWith('*')) return this.#literal(field.type, type, value);
    if (field.type.kind === 'object') return ['&', this.#literal(field.type, type.slice(1), value)];
    return `understudy.Ptr[${type.slice(1)}](${String(value)})`;
  }

  /** @param type the Go type of the value */
  #literal(model: Type, type: string, value: Json, elided = false): Layout {
    if (model.kind === 'object') {
      const struct = this.#types.get(model.name);
      const literal = this.#struct(model.name, struct.fields, value as JsonObject);
      return elided && typeof literal === 'object' && 'open' in literal ? { ...literal, open: '{' } : literal;
    }
    if (model.kind === 'list') {
      const of = type.replace('[]', '');
      const items = (value as readonly Json[]).map((item) => this.#literal(model.of, of, item, true));
      return { open: `${qualified(type)}{`, items, close: '}', padding: '', lastComma: true };
    }
    if (model.kind === 'map') {
      const of = type.replace('map[string]', '');
      const items = Object.entries(value as JsonObject).map(([key, item]) => [
        `${JSON.stringify(key)}: `,
        this.#literal(model.of, of, item, true),
      ]);
      return composite(elided ? '' : qualified(type), items);
    }
    return model.kind === 'string' && model.values ? JSON.stringify(value) : plain(value);
  }
}

const WITHOUT_TOKEN = `client, err = understudy.NewWithoutToken()
if err != nil {
	log.Fatal(err)
}`;

const READ_FILE = `file, err := os.ReadFile("${EXAMPLE_FILE}")
if err != nil {
	log.Fatal(err)
}`;

/** Writes a value of the type `any`. */
function plain(value: Json): Layout {
  if (value === null) return 'nil';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value))
    return { open: '[]any{', items: value.map(plain), close: '}', padding: '', lastComma: true };
  return composite(
    'map[string]any',
    Object.entries(value).map(([key, of]) => [`${JSON.stringify(key)}: `, plain(of)]),
  );
}

const composite = (type: string, items: readonly Layout[]): Layout => ({
  open: `${type}{`,
  items,
  close: '}',
  padding: '',
  lastComma: true,
});

const BUILT_IN = /^(any|string|bool|byte|int64|float64)$/;

/** Puts the package before the name of a type: `[]Scope` → `[]understudy.Scope`. */
function qualified(type: string): string {
  const [, prefix = '', name = ''] = /^((?:\[\]|map\[string\]|\*)*)(\w+)$/.exec(type) ?? [];
  return BUILT_IN.test(name) ? type : `${prefix}understudy.${name}`;
}

/** Aligns the values of neighbouring items that have one line, as gofmt does. */
function alignedValues(items: readonly string[]): readonly string[] {
  const keyOf = (item: string) => (item.includes('\n') ? undefined : /^("[^"]*"|\w+): /.exec(item)?.[0]);
  const result = [...items];
  for (let start = 0; start < items.length; start++) {
    let end = start;
    while (end < items.length && keyOf(items[end] ?? '') !== undefined) end++;
    const width = Math.max(0, ...items.slice(start, end).map((item) => keyOf(item)?.length ?? 0));
    for (let index = start; index < end; index++) {
      const item = items[index] ?? '';
      const key = keyOf(item) ?? '';
      result[index] = key.padEnd(width) + item.slice(key.length);
    }
    start = Math.max(start, end);
  }
  return result;
}
