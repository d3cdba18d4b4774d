/** What clients of an API rely on, place by place (`POST /generate body.count`, `GET /models 200 body.data.total`). */
export interface ApiContract {
  /** Operations, parameters and fields of bodies: what a client may send. */
  readonly takes: Terms;
  /** Headers and fields of answers that tell of success; refusals have one form, which the conformance suite holds. */
  readonly answers: Terms;
}

/** By place. */
export type Terms = Readonly<Record<string, Term>>;

export interface Term {
  /** JSON types, or the values where what is taken is one of a few; `any` where nothing is said. Sorted. */
  readonly types: readonly string[];
  /** Wherever the object around it is. */
  readonly required: boolean;
  /** The place around it; none for an operation. */
  readonly within?: string;
}

type Node = Readonly<Record<string, unknown>>;

/** Reads an OpenAPI 3.1 document: the constructs that the project's own has, references within the document included. */
export function contractOf(document: Node): ApiContract {
  const takes = new TermWriter(document, (schema) => enumOf(schema) ?? typesOf(schema));
  const answers = new TermWriter(document, typesOf);
  for (const [path, methods] of entries(document['paths'])) {
    for (const [method, operation] of entries(methods)) {
      const place = `${method.toUpperCase()} ${path}`;
      takes.add(place, { types: ['operation'], required: false });
      for (const parameter of (operation['parameters'] as Node[] | undefined) ?? []) {
        const {
          name,
          required = false,
          schema,
        } = parameter as { name: string; required?: boolean; schema: Node };
        takes.walk(schema, `${place} ${String(parameter['in'])}.${name}`, { required, within: place });
      }
      addBodies(takes, operation['requestBody'], place);
      for (const [status, response] of entries(operation['responses'])) {
        if (!status.startsWith('2')) continue;
        const found = takes.resolved(response);
        const answered = `${place} ${status}`;
        answers.add(answered, { types: ['answer'], required: false });
        for (const [name, header] of entries(found['headers'])) {
          const { required = false, schema } = takes.resolved(header) as { required?: boolean; schema: Node };
          answers.walk(schema, `${answered} header ${name}`, { required, within: answered });
        }
        addBodies(answers, found, answered);
      }
    }
  }
  return { takes: takes.byPlace, answers: answers.byPlace };
}

function addBodies(terms: TermWriter, body: unknown, within: string): void {
  for (const [type, { schema }] of entries((body as Node | undefined)?.['content'])) {
    terms.add(`${within} ${type}`, { types: ['body'], required: false, within });
    terms.walk(schema as Node, `${within} body`, { required: false, within });
  }
}

class TermWriter {
  readonly byPlace: Record<string, Term> = {};

  constructor(
    private readonly document: Node,
    private readonly typesOf: (schema: Node) => string[],
  ) {}

  add(place: string, term: Term): void {
    const known = this.byPlace[place] ?? term;
    const types = [...new Set([...known.types, ...term.types])].sort();
    this.byPlace[place] = { ...term, types, required: known.required && term.required };
  }

  /** Adds what `schema` says of `place` and of the places in it. A schema within itself is walked once. */
  walk(schema: Node, place: string, at: Omit<Term, 'types'>, around: readonly Node[] = []): void {
    const found = this.resolved(schema);
    if (around.includes(found)) return;
    const inside = [...around, found];
    const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((kind) => (found[kind] as Node[] | undefined) ?? []);
    for (const branch of branches) this.walk(branch, place, at, inside);
    if (branches.length === 0 || found['type'] !== undefined)
      this.add(place, { ...at, types: this.typesOf(found) });
    const required = (found['required'] as string[] | undefined) ?? [];
    for (const [name, property] of entries(found['properties']))
      this.walk(property, `${place}.${name}`, { required: required.includes(name), within: place }, inside);
    for (const [key, suffix] of [
      ['items', '[]'],
      ['additionalProperties', '.*'],
    ] as const) {
      const inner = found[key];
      if (typeof inner === 'object')
        this.walk(inner as Node, place + suffix, { required: false, within: place }, inside);
    }
  }

  resolved(node: Node): Node {
    const reference = node['$ref'];
    if (typeof reference !== 'string') return node;
    const keys = reference.slice('#/'.length).split('/');
    return this.resolved(keys.reduce((found, key) => found[key] as Node, this.document));
  }
}

function enumOf(schema: Node): string[] | undefined {
  const values = 'const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined);
  return values?.map((value) => JSON.stringify(value));
}

function typesOf({ type = 'any' }: Node): string[] {
  return [type].flat() as string[];
}

function entries(node: unknown): [string, Node][] {
  return Object.entries((node ?? {}) as Record<string, Node>);
}
