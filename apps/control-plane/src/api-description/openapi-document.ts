import type { JsonSchema } from '../http/dto/documented.js';
import { isOptionalBody } from '../http/dto/empty-request.dto.js';
import { takesKey, type Operation, type Resource } from '../http/operations/operation.js';
import { answerObject, headersOf, META, META_EXAMPLE, SHARED_HEADERS } from './answer-object.js';
import { dtoSchema } from './dto-schema.js';
import { NamedSchemas } from './hoist-schemas.js';
import { TAGS, type OperationDescription, type OperationExample } from './operation-description.js';
import { REFUSALS, refusalExample, refusalSchema, refusalsOf } from './refusals.js';

/** As much of OpenAPI 3.1 as this API needs; the rest is JSON. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: JsonSchema;
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: Readonly<Record<string, JsonSchema>>;
  readonly [key: string]: unknown;
}

/** `/v1` is part of the server's address, as in the reference. */
const BASE = '/v1';

/**
 * The description of the API.
 * @throws Error for an operation or a field that nothing describes
 */
export function openApiDocument(
  operations: readonly Operation[],
  descriptions: Readonly<Record<string, OperationDescription>>,
  version: string,
): OpenApiDocument {
  const schemas = new NamedSchemas();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const description = descriptions[operation.id];
    if (!description)
      throw new Error(`operation ${operation.id} has no entry in api-description/operation-descriptions.ts`);
    const path = operation.path.slice(BASE.length).replace(/:(\w+)/g, '{$1}');
    const method = operation.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operationObject(operation, description, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Understudy', version, license: LICENCE, description: INTRODUCTION },
    servers: [{ url: BASE, description: 'This server.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...schemas.all(), ...SHARED_SCHEMAS },
      headers: SHARED_HEADERS,
      responses: Object.fromEntries(Object.keys(REFUSALS).map((status) => refusalResponse(Number(status)))),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token: `us_live_…`.' },
      },
    },
  };
}

function operationObject(
  operation: Operation,
  description: OperationDescription,
  schemas: NamedSchemas,
): JsonSchema {
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(description),
    ...(takesKey(operation) ? [IDEMPOTENCY_KEY] : []),
  ];
  const refusals = refusalsOf(operation, description).map((status) => [
    status,
    { $ref: `#/components/responses/${REFUSALS[status]?.name}` },
  ]);
  const others = Object.entries(description.otherAnswers ?? {}).map(([status, answer]) => [
    status,
    answerObject(answer, schemas),
  ]);
  return {
    operationId: operation.id,
    tags: [description.tag],
    summary: sentence(operation.summary),
    description: proseOf(operation, description),
    security: operation.role === 'public' ? [] : [{ bearer: [operation.scope] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(operation, description),
    responses: Object.fromEntries([
      [operation.status, successObject(operation, description, schemas)],
      ...others,
      ...refusals,
    ]) as JsonSchema,
  };
}

/** The answer to a request with a key that was carried out before has no secrets. */
function successObject(
  operation: Operation,
  { answer }: OperationDescription,
  schemas: NamedSchemas,
): JsonSchema {
  const object = answerObject(answer, schemas, operation.location);
  if (!takesKey(operation)) return object;
  if ('data' in answer) schemas.makeOptional(answer.data, operation.secrets ?? []);
  return {
    ...object,
    headers: { ...(object['headers'] as JsonSchema), ...headersOf(['Idempotent-Replayed'], []) },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

function pathParameters({ path, resource, parts = {} }: Operation): JsonSchema[] {
  const named = Object.entries({ ...(resource === undefined ? {} : { id: resource }), ...parts });
  return named
    .filter(([name]) => path.includes(`/:${name}`))
    .map(([name, what]) => {
      const { description, example } = RESOURCES[what];
      const schema = { type: 'string', minLength: 1, maxLength: 500 };
      return { name, in: 'path', required: true, description, schema, example };
    });
}

function queryParameters({ query, example = {} }: OperationDescription): JsonSchema[] {
  if (!query) return [];
  const properties = dtoSchema(query)['properties'] as Readonly<Record<string, JsonSchema>>;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
    ...(example.query?.[name] === undefined ? {} : { example: example.query[name] }),
  }));
}

function bodyOf(operation: Operation, { body, example = {} }: OperationDescription): JsonSchema {
  if (!body) return {};
  const mediaType = operation.takes ?? 'application/json';
  const content = { schema: dtoSchema(body), ...exampleOf(example) };
  return { requestBody: { required: !isOptionalBody(body), content: { [mediaType]: content } } };
}

const exampleOf = ({ body }: OperationExample): JsonSchema => (body ? { example: body } : {});

function proseOf(operation: Operation, { description }: OperationDescription): string {
  const needs =
    operation.role === 'public'
      ? 'Needs no token.'
      : `Needs the role \`${operation.role}\` or a higher one, and of a narrowed token the scope \`${operation.scope}\`.`;
  return description === undefined ? needs : `${description}\n\n${needs}`;
}

function sentence(half: string): string {
  return `${half.charAt(0).toUpperCase()}${half.slice(1)}`;
}

function refusalResponse(status: number): [string, JsonSchema] {
  const { name, says } = REFUSALS[status] ?? { name: String(status), says: '' };
  const content = { schema: refusalSchema(status), example: refusalExample(status, META_EXAMPLE) };
  const retry = status === 429 || status === 503 ? ['Retry-After'] : [];
  const challenge = status === 401 ? ['WWW-Authenticate'] : [];
  return [
    name,
    {
      description: says,
      headers: headersOf([...retry, ...challenge]),
      content: { 'application/json': content },
    },
  ];
}

const RESOURCES: Readonly<Record<Resource, { readonly description: string; readonly example: string }>> = {
  sync_job: { description: 'Id of a sync job.', example: 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  snapshot: { description: 'Id of a snapshot.', example: 'snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  snapshot_restore: { description: 'Id of a restore.', example: 'rst_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  agent: { description: 'Id of an agent.', example: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  enrolment_token: { description: 'Id of an enrolment token.', example: 'enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  token: { description: 'Id of an API token.', example: 'tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  member: { description: 'Id of a member.', example: 'mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  generator: {
    description: 'Name of a registered composition: `name@version`, or the name alone.',
    example: '@acme/people:greeting@1.0.0',
  },
  mock_endpoint: { description: 'Id of a mock endpoint.', example: 'ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA' },
  webhook: { description: 'Id of a webhook.', example: 'wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  webhook_delivery: { description: 'Id of a delivery.', example: 'dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  model: {
    description: 'Id of a model. Its slash may be written as it is or as `%2F`.',
    example: 'en_US/first_names',
  },
};

const LICENCE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

const INTRODUCTION = `Synthetic and masked data: the control plane. It takes metadata and orders; rows of production databases never reach it.

Answers are \`{data, meta}\`, refusals \`{error, meta}\`. Times are ISO 8601 in UTC; one that is not known is null, never missing. Unknown query parameters and unknown fields of a body are refused with their path. Answers may gain fields: clients ignore those they do not know.`;

const SHARED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Meta: META,
  FieldProblem: {
    type: 'object',
    required: ['field', 'message'],
    properties: {
      field: { type: 'string', description: 'Path in the request: `tables[0].columns.email`.' },
      message: { type: 'string', description: 'What was expected and what kind of thing came.' },
    },
  },
};
