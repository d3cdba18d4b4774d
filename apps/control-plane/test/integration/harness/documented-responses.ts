import { perWorker } from '@understudy/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { API_DESCRIPTION } from '../../../src/api-description/openapi-document.js';
import { modelPath } from '../../../src/platform/http/server/fastify.js';

/** A response as a client received it. */
export interface ReceivedResponse {
  readonly method: string;
  /** Includes the query. */
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
  // Paths without parameters come first, so that they take precedence.
  .sort(([a], [b]) => a.split('{').length - b.split('{').length)
  .map(([template, methods]) => ({
    template,
    methods,
    pattern: new RegExp(`^${BASE}${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** The compiled schemas of the document. Compiling them takes a tenth of a short suite, so suites share them. */
const compiled = perWorker('schemas of the API description', async () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(DOCUMENT, 'openapi');
  return { ajv, validators: new Map<string, ValidateFunction>(), stop: async () => {} };
});

/**
 * Checks that the status, headers and body of a response match the description of the API. The body must not
 * contain unknown fields. For a path or method that is not described, expects the API's error body.
 * @throws Error that names the part that is not described
 */
export async function expectDocumented(answer: ReceivedResponse): Promise<void> {
  const [path = ''] = modelPath(answer.path).split('?', 1);
  if (!path.startsWith(`${BASE}/`) || answer.method === 'HEAD') return;
  const method = answer.method.toLowerCase();
  const found = OPERATIONS.find(({ pattern, methods }) => pattern.test(path) && method in methods);
  const where = `${answer.method} ${answer.path.slice(0, 200)} returned ${answer.status}`;
  if (!found) return expectRefusal(answer, where);
  const pointer = pointerTo(['paths', found.template, method, 'responses', String(answer.status)]);
  const response = resolve(pointer);
  if (!response) throw new Error(`${where}, a status that is not described: ${answer.text.slice(0, 500)}`);
  expectHeaders(response.value as ResponseObject, answer, where);
  await expectBody(response, answer, where);
}

function expectRefusal(answer: ReceivedResponse, where: string): void {
  if (answer.status < 400) throw new Error(`${where}, but no operation is described for this path`);
  const { error } = JSON.parse(answer.text) as { error?: { code?: unknown } };
  if (typeof error?.code !== 'string') throw new Error(`${where} without the error envelope`);
}

function expectHeaders({ headers = {} }: ResponseObject, answer: ReceivedResponse, where: string): void {
  for (const [name, described] of Object.entries(headers)) {
    const { required, schema } = dereference(described) as unknown as HeaderObject;
    const value = answer.headers.get(name);
    if (required && value === null) throw new Error(`${where} without the header ${name}`);
    if (value !== null && schema.type === 'integer' && !/^-?\d+$/.test(value))
      throw new Error(`${where} with ${name}: ${value}`);
  }
}

async function expectBody(response: Located, answer: ReceivedResponse, where: string): Promise<void> {
  const { content } = response.value as ResponseObject;
  if (!content) {
    if (answer.text !== '') throw new Error(`${where} with a body, but none is described`);
    return;
  }
  const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';', 1);
  if (!(mediaType in content)) throw new Error(`${where} with a body of the type "${mediaType}"`);
  if (mediaType !== 'application/json') return;
  const { ajv } = await compiled;
  const validate = await validatorAt(`${response.pointer}${pointerTo(['content', mediaType, 'schema'])}`);
  if (!validate(JSON.parse(answer.text)))
    throw new Error(
      `${where} with a body that does not match its description: ${ajv.errorsText(validate.errors)}`,
    );
}

/**
 * Returns the validator of a schema in the document.
 * @param pointer the JSON pointer of the schema
 */
export async function validatorAt(pointer: string): Promise<ValidateFunction> {
  const { ajv, validators } = await compiled;
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

/** Returns the value at the pointer. If the value is a reference, follows it. */
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
    | Node
    | undefined;
}

export function pointerTo(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Forbids unknown fields in all object schemas. Clients ignore such fields, but the tests report them. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const isObjectSchema = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isObjectSchema ? { additionalProperties: false, ...copy } : copy;
}
