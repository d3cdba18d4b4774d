import type { JsonSchema } from '../platform/http/dto/documented.js';
import { isOptionalBody } from '../platform/http/dto/no-fields.dto.js';
import {
  bodyOf,
  exampleRequest,
  PREFIX,
  TAGS,
  takesKey,
  type Operation,
  type OperationExample,
  type Resource,
} from '../platform/http/operations/operation.js';
import { entityTag } from '../platform/http/pipeline/entity-tag.js';
import { responseObject, headersOf, META, META_EXAMPLE, SHARED_HEADERS } from './response-object.js';
import { dtoSchema } from './dto-schema.js';
import { NamedSchemas } from './hoist-schemas.js';
import { introduction, openApiPath } from './introduction.js';
import { OPERATIONS } from './operations.js';
import { REFUSALS, refusalExample, refusalSchema, refusalsOf } from './refusals.js';

/** The version of the API. It changes only if the API changes, and not with the version of the product. */
const VERSION = '1.0.0';

/** An OpenAPI 3.1 document. Only the keys that this program reads have precise types. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: JsonSchema;
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: Readonly<Record<string, JsonSchema>>;
  readonly [key: string]: unknown;
}

/**
 * Builds the OpenAPI document of the API.
 * @throws Error if a field has no description
 */
function openApiDocument(): OpenApiDocument {
  const schemas = new NamedSchemas();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of OPERATIONS) {
    const path = openApiPath(operation);
    const method = operation.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operationObject(operation, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Understudy', version: VERSION, license: LICENCE, description: introduction(OPERATIONS) },
    servers: [{ url: PREFIX, description: 'This server.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...schemas.all(), ...SHARED_SCHEMAS },
      headers: SHARED_HEADERS,
      responses: {
        ...Object.fromEntries(
          Object.entries(REFUSALS).map(([status, { name }]) => [name, refusalResponse(Number(status))]),
        ),
        [KEY_CONFLICT.name]: {
          ...refusalResponse(409, KEY_CONFLICT.headers),
          description: KEY_CONFLICT.description,
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token: `us_live_…`.' },
      },
    },
  };
}

function operationObject(operation: Operation, schemas: NamedSchemas): JsonSchema {
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...(takesKey(operation) ? [IDEMPOTENCY_KEY] : []),
    ...(isTagged(operation) ? [IF_NONE_MATCH] : []),
  ];
  const refusals = refusalsOf(operation).map((status) => {
    const name = status === 409 && takesKey(operation) ? KEY_CONFLICT.name : REFUSALS[status]?.name;
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  const others = Object.entries(operation.otherResponses ?? {}).map(([status, response]) => [
    status,
    responseObject(response, schemas),
  ]);
  return {
    operationId: operation.id,
    ...(operation.client === null ? {} : { [CLIENT_METHOD]: operation.client }),
    ...(operation.isNeverRepeated ? { [NEVER_REPEATED]: true } : {}),
    tags: [operation.tag],
    summary: capitalized(operation.summary),
    description: proseOf(operation),
    security:
      operation.role === 'public' ? [] : [{ bearer: operation.scope === null ? [] : [operation.scope] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(operation),
    responses: Object.fromEntries([
      [operation.status, successObject(operation, schemas)],
      ...others,
      ...(isTagged(operation) ? [[304, NOT_MODIFIED]] : []),
      ...refusals,
    ]) as JsonSchema,
  };
}

/**
 * Returns the response object of a success. If the operation accepts an idempotency key, secrets are optional, because
 * the response to a repeated request omits them.
 */
function successObject(operation: Operation, schemas: NamedSchemas): JsonSchema {
  const { response } = operation;
  const object = responseObject(response, schemas, operation.location);
  if (isTagged(operation))
    return {
      ...object,
      headers: { ...(object['headers'] as JsonSchema), ...headersOf(['ETag'], []) },
    };
  if (!takesKey(operation)) return object;
  if ('data' in response) schemas.makeOptional(response.data, operation.secrets ?? []);
  return {
    ...object,
    headers: { ...(object['headers'] as JsonSchema), ...headersOf(['Idempotent-Replayed'], []) },
  };
}

/** Returns whether responses have an `ETag`, so that a client can ask only for a changed one. */
function isTagged({ method, response }: Operation): boolean {
  return method === 'GET' && ('data' in response || response.isTagged === true);
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier response. If the response is still the same, the status is 304.',
  schema: { type: 'string' },
};

const NOT_MODIFIED = {
  description: 'The response is the same as the one with the given `ETag`. There is no body.',
  headers: headersOf(['ETag']),
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique text for each request. If the same request is repeated with the same key within 24 hours, it has no further effect. It gets the first response again, without secrets that are shown only once. The key is refused with a different body.',
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

function queryParameters({ query, example = {} }: Operation): JsonSchema[] {
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

function requestBody(operation: Operation): JsonSchema {
  const body = bodyOf(operation);
  if (!body) return {};
  const mediaType = operation.takes ?? 'application/json';
  const schema = dtoSchema(body);
  const content = { schema, ...exampleOf(exampleRequest(operation), schema) };
  return { requestBody: { required: !isOptionalBody(body), content: { [mediaType]: content } } };
}

/** The example of a form has a text in the place of the bytes of each required file. */
function exampleOf({ body }: OperationExample, { properties, required = [] }: JsonSchema): JsonSchema {
  if (!body) return {};
  const files = Object.entries(properties as Readonly<Record<string, JsonSchema>>)
    .filter(([name, { contentMediaType }]) => contentMediaType && (required as string[]).includes(name))
    .map(([name]) => [name, 'the bytes of a file']);
  return { example: { ...(Object.fromEntries(files) as JsonSchema), ...body } };
}

function proseOf(operation: Operation): string {
  const { description } = operation;
  const needs = needsOf(operation);
  return description === undefined ? needs : `${description}\n\n${needs}`;
}

function needsOf(operation: Operation): string {
  if (operation.role === 'public') return 'Requires no token.';
  const needs = `Requires the role \`${operation.role}\` or a higher one.`;
  if (operation.scope === null) return `${needs} A token that is limited to scopes needs no scope.`;
  return `${needs} A token that is limited to scopes also needs the scope \`${operation.scope}\`.`;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function refusalResponse(status: number, more: JsonSchema = {}): JsonSchema {
  const retry = status === 429 || status === 503 ? ['Retry-After'] : [];
  const challenge = status === 401 ? ['WWW-Authenticate'] : [];
  return {
    description: REFUSALS[status]?.description,
    headers: { ...headersOf([...retry, ...challenge]), ...more },
    content: {
      'application/json': { schema: refusalSchema(status), example: refusalExample(status, META_EXAMPLE) },
    },
  };
}

/** The conflict of operations that take an idempotency key. */
const KEY_CONFLICT = {
  name: 'KeyConflict',
  description:
    'The request conflicts with the current state of the resource, or another request with its `Idempotency-Key` is in progress or lost its response.',
  headers: {
    'Retry-After': {
      description:
        'Seconds to wait before the next attempt. Sent only while another request with the `Idempotency-Key` is in progress.',
      required: false,
      schema: { type: 'integer', minimum: 0 },
    },
  },
};

const RESOURCES: Readonly<Record<Resource, { readonly description: string; readonly example: string }>> = {
  sync_job: { description: 'Id of a sync job.', example: 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  sync_job_revert: { description: 'Id of a revert.', example: 'rvt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  snapshot: { description: 'Id of a snapshot.', example: 'snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  snapshot_restore: { description: 'Id of a restore.', example: 'rst_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  agent: { description: 'Id of an agent.', example: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  enrolment_token: { description: 'Id of an enrolment token.', example: 'enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  token: { description: 'Id of an API token.', example: 'tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  member: { description: 'Id of a member.', example: 'mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  generator: {
    description: 'Name of a registered composition, with or without a version: `name@version` or `name`.',
    example: '@acme/people:greeting@1.0.0',
  },
  mock_endpoint: { description: 'Id of a mock endpoint.', example: 'ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA' },
  webhook: { description: 'Id of a webhook.', example: 'wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  webhook_delivery: { description: 'Id of a delivery.', example: 'dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  model: {
    description: 'Id of a model. In a URL, you can write its slash as `/` or as `%2F`.',
    example: 'custom/street-names',
  },
};

/** The extensions from which the clients are generated: see `client` and `isNeverRepeated` of an operation. */
const CLIENT_METHOD = 'x-client-method';
const NEVER_REPEATED = 'x-never-repeated';

const LICENCE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

const SHARED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Meta: META,
  FieldProblem: {
    type: 'object',
    required: ['field', 'message'],
    properties: {
      field: {
        type: 'string',
        description: 'Path of the field in the request, such as `tables[0].columns.email`.',
      },
      message: { type: 'string', description: 'Expected value and kind of the received value.' },
    },
  },
};

export const API_DESCRIPTION = openApiDocument();

/** The document as the server sends it. */
export const API_DESCRIPTION_TEXT = JSON.stringify(API_DESCRIPTION);
export const API_DESCRIPTION_ETAG = entityTag(API_DESCRIPTION_TEXT);
