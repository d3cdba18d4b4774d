/**
 * The parts of an API on which its clients depend, by their locations: for example `POST /generate body.count` or
 * `GET /models 200 body.data.total`.
 */
export interface ApiContract {
  /** The operations, parameters and request fields that a client may send. */
  readonly takes: Terms;
  /** Headers and fields of successful responses. The conformance suite checks the form of errors. */
  readonly answers: Terms;
}

/** The terms of a contract by location. */
export type Terms = Readonly<Record<string, Term>>;

/** The contract for one location. */
export interface Term {
  /** Sorted JSON types. For an enum in a request, its values as JSON. `any` if the schema has no type. */
  readonly types: readonly string[];
  /** True if the object that contains the location must have a value at this location. */
  readonly required: boolean;
  /** The location that contains this one. Absent for an operation. */
  readonly within?: string;
}

type Node = Readonly<Record<string, unknown>>;

/**
 * Reads the contract from an OpenAPI 3.1 document. It supports only the constructs that the document of this
 * project uses, including references to other parts of the document.
 */
export function contractOf(document: Node): ApiContract {
  const takes = new TermWriter(document, (schema) => enumOf(schema) ?? typesOf(schema));
  const answers = new TermWriter(document, typesOf);
  for (const [path, methods] of entries(document['paths'])) {
    for (const [method, operation] of entries(methods)) {
      const location = `${method.toUpperCase()} ${path}`;
      takes.add(location, { types: ['operation'], required: false });
      for (const parameter of (operation['parameters'] as Node[] | undefined) ?? []) {
        const {
          name,
          required = false,
          schema,
        } = parameter as { name: string; required?: boolean; schema: Node };
        takes.walk(schema, `${location} ${String(parameter['in'])}.${name}`, { required, within: location });
      }
      addBodies(takes, operation['requestBody'], location);
      for (const [status, response] of entries(operation['responses'])) {
        if (!status.startsWith('2')) continue;
        const found = takes.resolved(response);
        const answered = `${location} ${status}`;
        answers.add(answered, { types: ['answer'], required: false });
        for (const [name, header] of entries(found['headers'])) {
          const { required = false, schema } = takes.resolved(header) as { required?: boolean; schema: Node };
          answers.walk(schema, `${answered} header ${name}`, { required, within: answered });
        }
        addBodies(answers, found, answered);
      }
    }
  }
  return { takes: takes.byLocation, answers: answers.byLocation };
}

function addBodies(terms: TermWriter, body: unknown, within: string): void {
  for (const [type, { schema }] of entries((body as Node | undefined)?.['content'])) {
    terms.add(`${within} ${type}`, { types: ['body'], required: false, within });
    terms.walk(schema as Node, `${within} body`, { required: false, within });
  }
}

class TermWriter {
  readonly byLocation: Record<string, Term> = {};

  constructor(
    private readonly document: Node,
    private readonly typesOf: (schema: Node) => string[],
  ) {}

  add(location: string, term: Term): void {
    const known = this.byLocation[location] ?? term;
    const types = [...new Set([...known.types, ...term.types])].sort();
    this.byLocation[location] = { ...term, types, required: known.required && term.required };
  }

  /**
   * Adds the terms of `location` and of all locations inside it. A schema that contains itself is visited
   * only once on each path.
   */
  walk(schema: Node, location: string, at: Omit<Term, 'types'>, around: readonly Node[] = []): void {
    const found = this.resolved(schema);
    if (around.includes(found)) return;
    const inside = [...around, found];
    const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((kind) => (found[kind] as Node[] | undefined) ?? []);
    for (const branch of branches) this.walk(branch, location, at, inside);
    if (branches.length === 0 || found['type'] !== undefined)
      this.add(location, { ...at, types: this.typesOf(found) });
    const required = (found['required'] as string[] | undefined) ?? [];
    for (const [name, property] of entries(found['properties']))
      this.walk(
        property,
        `${location}.${name}`,
        { required: required.includes(name), within: location },
        inside,
      );
    for (const [key, suffix] of [
      ['items', '[]'],
      ['additionalProperties', '.*'],
    ] as const) {
      const inner = found[key];
      if (typeof inner === 'object')
        this.walk(inner as Node, location + suffix, { required: false, within: location }, inside);
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
