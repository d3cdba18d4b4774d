import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { API_DESCRIPTION } from '../../../src/api-description/api-description.js';
import { modelPath } from '../../../src/http/server/fastify.js';

/** An answer as a client got it. */
export interface ReceivedAnswer {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly content?: Readonly<Record<string, unknown>>;
}
interface HeaderObject {
  readonly required?: boolean;
  readonly schema: { readonly type: string };
}
type Node = Readonly<Record<string, unknown>>;

const DOCUMENT = closed(API_DESCRIPTION) as Node;
const BASE = '/v1';
const OPERATIONS = Object.entries(API_DESCRIPTION.paths)
  // A path without parameters goes before one that has them.
  .sort(([a], [b]) => a.split('{').length - b.split('{').length)
  .map(([template, methods]) => ({
    template,
    methods,
    pattern: new RegExp(`^${BASE}${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(DOCUMENT, 'openapi');
const validators = new Map<string, ValidateFunction>();

/**
 * Answers of the API are what its description says: the status, the headers, and a body of the described form with no field
 * besides. What the description does not have (other paths and methods) is refused in the envelope.
 * @throws Error that says what was not described
 */
export function expectDocumented(answer: ReceivedAnswer): void {
  const [path = ''] = modelPath(answer.path).split('?', 1);
  if (!path.startsWith(`${BASE}/`) || answer.method === 'HEAD') return;
  const method = answer.method.toLowerCase();
  const found = OPERATIONS.find(({ pattern, methods }) => pattern.test(path) && method in methods);
  const where = `${answer.method} ${answer.path.slice(0, 200)} answered ${answer.status}`;
  if (!found) return expectRefusal(answer, where);
  const pointer = pointerTo(['paths', found.template, method, 'responses', String(answer.status)]);
  const response = resolve(pointer);
  if (!response)
    throw new Error(`${where}, which its description does not have: ${answer.text.slice(0, 500)}`);
  expectHeaders(response.value as ResponseObject, answer, where);
  expectBody(response, answer, where);
}

function expectRefusal(answer: ReceivedAnswer, where: string): void {
  if (answer.status < 400) throw new Error(`${where}, and no operation is described there`);
  const { error } = JSON.parse(answer.text) as { error?: { code?: unknown } };
  if (typeof error?.code !== 'string') throw new Error(`${where} without the envelope of refusals`);
}

function expectHeaders({ headers = {} }: ResponseObject, answer: ReceivedAnswer, where: string): void {
  for (const [name, described] of Object.entries(headers)) {
    const { required, schema } = dereference(described) as unknown as HeaderObject;
    const value = answer.headers.get(name);
    if (required && value === null) throw new Error(`${where} without the header ${name}`);
    if (value !== null && schema.type === 'integer' && !/^-?\d+$/.test(value))
      throw new Error(`${where} with ${name}: ${value}`);
  }
}

function expectBody(response: Located, answer: ReceivedAnswer, where: string): void {
  const { content } = response.value as ResponseObject;
  if (!content) {
    if (answer.text !== '') throw new Error(`${where} with a body where none is described`);
    return;
  }
  const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';', 1);
  if (!(mediaType in content)) throw new Error(`${where} with a body of the type "${mediaType}"`);
  if (mediaType !== 'application/json') return;
  const validate = validatorAt(`${response.pointer}${pointerTo(['content', mediaType, 'schema'])}`);
  if (!validate(JSON.parse(answer.text)))
    throw new Error(`${where} with another body than described: ${ajv.errorsText(validate.errors)}`);
}

/** @param pointer to a schema of the document */
export function validatorAt(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known) return known;
  const validate = ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
  validators.set(pointer, validate);
  return validate;
}

interface Located {
  readonly pointer: string;
  readonly value: Node;
}

/** Follows one reference at the end. */
function resolve(pointer: string): Located | undefined {
  const value = at(pointer);
  if (value === undefined) return undefined;
  const reference = value['$ref'];
  return typeof reference === 'string' ? resolve(reference.slice(1)) : { pointer, value };
}

function dereference(node: object): Node {
  const reference: unknown = Reflect.get(node, '$ref');
  return typeof reference === 'string' ? (resolve(reference.slice(1))?.value ?? {}) : (node as Node);
}

function at(pointer: string): Node | undefined {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((node, step) => (node as Node | undefined)?.[step], DOCUMENT) as
    Node | undefined;
}

export function pointerTo(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Clients ignore fields that they do not know; here a field that is not described is a fault. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const isObjectSchema = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isObjectSchema ? { additionalProperties: false, ...copy } : copy;
}
