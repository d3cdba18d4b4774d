import {
  composite,
  goLiteral,
  type Json,
  type JsonObject,
  type Layout,
  print,
  STYLE_OF,
} from '@understudy/code-snippets';

import type { ApiModel, Field, Type } from '../../clients/api-model.js';
import { goName, goParams, GoTypes } from '../../clients/go-names.js';
import { methodPath } from '../../clients/emitter-parts.js';
import { EXAMPLE_FILE, type ExampleCall } from '../example-call.js';

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
    const receiver = ['client', ...methodPath(operation, goName)].join('.');
    const head = `${result ?? '_'}, err ${result ? ':=' : '='} ${receiver}(`;
    const statement = print(
      [head, ...args.flatMap((arg, index) => (index > 0 ? [', ', arg] : [arg])), ')'],
      STYLE_OF.go,
    );
    const lines = [...(operation.public ? [WITHOUT_TOKEN] : []), ...(file ? [READ_FILE] : []), statement];
    return lines.join('\n');
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
    return model.kind === 'string' && model.values ? JSON.stringify(value) : goLiteral(value);
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

const BUILT_IN = /^(any|string|bool|byte|int64|float64)$/;

/** Puts the package before the name of a type: `[]Scope` → `[]understudy.Scope`. */
function qualified(type: string): string {
  const [, prefix = '', name = ''] = /^((?:\[\]|map\[string\]|\*)*)(\w+)$/.exec(type) ?? [];
  return BUILT_IN.test(name) ? type : `${prefix}understudy.${name}`;
}
