import { isDeepStrictEqual } from 'node:util';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import type { ApiDocument, DocumentedOperation } from './api-document.js';

export interface ReceivedRequest {
  readonly method: string;
  /** Begins with `/v1`. */
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Compares requests with the examples and the schemas of the API document. */
export class RequestCheck {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(document: ApiDocument) {
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(closed(document) as object, 'openapi');
  }

  /** @returns the differences between the request and the example request of the operation */
  async problemsOf(
    operation: DocumentedOperation,
    request: ReceivedRequest,
    token: string,
  ): Promise<readonly string[]> {
    return [
      ...pathProblems(operation, request),
      ...this.#queryProblems(operation, request.url.searchParams),
      ...headerProblems(operation, request.headers, token),
      ...(await this.#bodyProblems(operation, request)),
    ];
  }

  #queryProblems(
    { template, method, parameters = [] }: DocumentedOperation,
    sent: URLSearchParams,
  ): string[] {
    const names = new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
    const problems = [...sent.keys()]
      .filter((key) => !names.has(key))
      .map((key) => `unknown parameter ${key}`);
    for (const [index, { name, schema, example }] of parameters.entries()) {
      if (!names.has(name)) continue;
      const value = sent.get(name);
      if (example !== undefined && name !== 'page' && value !== String(example))
        problems.push(`expected ${name}=${String(example)}, got ${String(value)}`);
      const validate = this.#validator(['paths', template, method, 'parameters', String(index), 'schema']);
      if (value !== null && !validate(schema.type === 'integer' ? Number(value) : value))
        problems.push(`${name}=${value}: ${this.#ajv.errorsText(validate.errors)}`);
    }
    return problems;
  }

  async #bodyProblems(operation: DocumentedOperation, request: ReceivedRequest): Promise<string[]> {
    const [mediaType, described] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const isEmpty = request.body.length === 0;
    if (mediaType === undefined || described === undefined) return isEmpty ? [] : ['expected no body'];
    const example = described.example ?? {};
    if (isEmpty && isDeepStrictEqual(example, {})) return [];
    const given = request.headers.get('content-type') ?? 'none';
    if (!given.startsWith(mediaType)) return [`expected a body of the type ${mediaType}, got ${given}`];
    if (mediaType.startsWith('multipart/')) return formProblems(request, example);
    const body = JSON.parse(request.body.toString()) as object;
    const place = [
      'paths',
      operation.template,
      operation.method,
      'requestBody',
      'content',
      mediaType,
      'schema',
    ];
    const validate = this.#validator(place);
    if (!validate(body)) return [`the body is invalid: ${this.#ajv.errorsText(validate.errors)}`];
    // A client requests NDJSON from `generate`, in its own way.
    const compared = operation.operationId === 'generate' ? { ...body, format: 'json' } : body;
    return isDeepStrictEqual(compared, example)
      ? []
      : [`the body is not the example: ${request.body.toString()}`];
  }

  #validator(place: readonly string[]): ValidateFunction {
    const pointer = place.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    return this.#ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
  }
}

function pathProblems(
  { method, template, parameters = [] }: DocumentedOperation,
  { method: sentMethod, url }: ReceivedRequest,
): string[] {
  const exampleOf = (name: string) =>
    parameters.find((each) => each.in === 'path' && each.name === name)?.example;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(exampleOf(name))),
  );
  // A client may leave characters such as `@` as they are.
  const segments = url.pathname.replace(/^\/v1/, '').split('/').map(decodeURIComponent);
  const expected = `${method.toUpperCase()} ${path}`;
  const received = `${sentMethod} ${segments.map(encodeURIComponent).join('/')}`;
  return received === expected ? [] : [`expected ${expected}, got ${received}`];
}

function headerProblems(
  { security = [], parameters = [] }: DocumentedOperation,
  headers: Headers,
  token: string,
): string[] {
  const expected = security.length === 0 ? null : `Bearer ${token}`;
  const sent = headers.get('authorization');
  const acceptsKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  return [
    ...(sent === expected ? [] : [`expected Authorization to be ${String(expected)}, got ${String(sent)}`]),
    ...(headers.has('idempotency-key') && !acceptsKey ? ['the operation accepts no Idempotency-Key'] : []),
  ];
}

async function formProblems({ headers, body }: ReceivedRequest, example: unknown): Promise<string[]> {
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  const texts = [...form].filter(([, value]) => typeof value === 'string');
  const files = [...form].filter(([, value]) => typeof value !== 'string').map(([name]) => name);
  const { file, ...fields } = example as Record<string, unknown>; // a page sends a file in place of the text
  return isDeepStrictEqual([Object.fromEntries(texts), files], [fields, file === undefined ? [] : ['file']])
    ? []
    : [`the form has the fields ${[...form.keys()].join(', ')}`];
}

/** Forbids unknown fields in all object schemas, so that the check finds a misspelt field. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const isObjectSchema = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isObjectSchema ? { additionalProperties: false, ...copy } : copy;
}
