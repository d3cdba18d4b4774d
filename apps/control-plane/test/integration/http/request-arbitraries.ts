import { CORE_REGISTRY } from '@understudy/generator';
import { type Declaration, OPTIONS } from '@understudy/sync-job';
import fc from 'fast-check';

import { API_DESCRIPTION } from '../../../src/api-description/openapi-document.js';
import type { Operation } from '../../../src/platform/http/operations/operation.js';
import { OPERATIONS, type OperationId } from '../../../src/api-description/operations.js';
import { modelFile } from '../harness/model-files.js';
import { HOSTILE_TEXTS, invalid } from './invalid-values.js';
import { CHARACTER, valuesOf, type Schema } from './schema-values.js';

/** A request as plain data. A failure message prints it, so that it can be sent again. */
export interface GeneratedRequest {
  readonly operationId: OperationId;
  readonly method: string;
  /** Contains `{id}` in place of the id of an existing resource. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A string is sent unchanged. A form is built from its fields. */
  readonly body?: string | { readonly form: Readonly<Record<string, unknown>> };
}

type Row = Operation & { readonly id: OperationId };

interface DescribedOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The generators of each part of a request, by name. The generators named `wanted` create valid parts. */
interface Parts {
  readonly id: Ways<string>;
  readonly query: Ways<string>;
  readonly headers: Ways<Record<string, string>>;
  readonly body: Ways<GeneratedRequest['body']>;
}
type Ways<T> = Readonly<Record<string, fc.Arbitrary<T>>>;

/** Requests to one operation. Each part of the requests is created by one generator. */
export interface RequestKind {
  /** The number of parts that are not valid according to the description. */
  readonly unwantedParts: number;
  readonly requests: fc.Arbitrary<GeneratedRequest>;
}

/** Returns one kind of requests for each operation and each combination of generators for the parts. */
export function requestKinds(): RequestKind[] {
  const rows: readonly Row[] = OPERATIONS;
  return rows.flatMap((row) => {
    const { id, query, headers, body } = partsOf(row);
    return product([id, query, headers, body]).map(
      ([idWay = '', queryWay = '', headersWay = '', bodyWay = '']) => ({
        unwantedParts: [idWay, queryWay, headersWay, bodyWay].filter((way) => way !== 'wanted').length,
        requests: fc
          .record({
            id: id[idWay] ?? fc.constant(''),
            query: query[queryWay] ?? fc.constant(''),
            headers: headers[headersWay] ?? fc.constant({}),
            body: body[bodyWay] ?? fc.constant(undefined),
          })
          .map((parts) => requestOf(row, parts)),
      }),
    );
  });
}

function partsOf(row: Row): Parts {
  const described = describedOperation(row);
  return {
    id: ids(row),
    query: queries(described),
    headers: { wanted: fc.constant({}), odd: oddHeaders },
    body: bodies(row, described),
  };
}

/** Returns every combination of generator names, with one name for each part of a request. */
function product(ways: readonly Ways<unknown>[]): string[][] {
  return ways.reduce<string[][]>(
    (chosen, each) => chosen.flatMap((before) => Object.keys(each).map((way) => [...before, way])),
    [[]],
  );
}

function requestOf(
  row: Row,
  parts: { id: string; query: string; headers: Record<string, string>; body: GeneratedRequest['body'] },
): GeneratedRequest {
  const { id, query, headers, body } = parts;
  const search = query === '' ? '' : `?${query}`;
  const type: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  return {
    operationId: row.id,
    method: row.method,
    path: row.path.replace(':id', id) + search,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body }),
  };
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  { accept: 'text/csv' },
  { accept: 'application/x-ndjson;q=0.5, text/csv;q=0.4' },
  { accept: 'image/png' },
  { accept: 'x'.repeat(2_000) },
  { authorization: 'Bearer us_live_000000000000000000000000000000000000' },
  { authorization: 'Basic b3BzOm9wcw==' },
  { authorization: '' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-encoding': 'gzip' },
  { 'if-none-match': '*' },
  { 'x-request-id': 'mine', 'x-forwarded-for': '203.0.113.9, junk' },
  { 'x-http-method-override': 'DELETE' },
);

function ids({ resource }: Row): Ways<string> {
  if (resource === undefined) return { wanted: fc.constant('') };
  const odd = fc.oneof(
    fc.constantFrom(...HOSTILE_TEXTS),
    fc.string({ unit: CHARACTER, maxLength: 40 }),
    fc.stringMatching(/^[a-z]{3}_[0-9A-Z]{26}$/),
    fc.constantFrom('en_US/first_names', 'custom/unknown', 'private/unknown', 'en_US%2Ffirst_names'),
  );
  const isStep = (text: string) => text === '.' || text === '..'; // fetch would resolve these steps and request another path
  return { wanted: fc.constant('{id}'), odd: odd.filter((text) => !isStep(text)).map(encode) };
}

function queries({ parameters = [] }: DescribedOperation): Ways<string> {
  const properties = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [name, schema] as const);
  const wanted = valuesOf({
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  });
  const written = (values: fc.Arbitrary<unknown>) => values.map((value) => queryText(value));
  return {
    // Few days that match the pattern are a valid range, and no parameter is required.
    wanted: fc.oneof({ arbitrary: written(wanted), weight: 3 }, fc.constant('')),
    invalid: written(invalid(wanted)),
    junk: fc.string({ maxLength: 30 }).map((text) => text.replaceAll('#', '')),
  };
}

function queryText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(
      ([name, item]) => `${encode(name)}=${encode(typeof item === 'string' ? item : JSON.stringify(item))}`,
    )
    .join('&');
}

/** Percent-encodes a string. Replaces lone surrogates, which cannot be encoded. */
function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function bodies(row: Row, { requestBody }: DescribedOperation): Ways<GeneratedRequest['body']> {
  const [schema] = Object.values(requestBody?.content ?? {}).map((content) => content.schema);
  const junk = fc.oneof(
    fc.constantFrom(
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"a":1}{',
      '\ufeff{}',
      '['.repeat(100),
      '{"__proto__":{"x":1}}',
    ),
    fc.json(),
  );
  if (row.method === 'GET') return { wanted: fc.constant(undefined) }; // fetch sends no body with a GET request
  if (!schema) return { wanted: fc.constant(undefined), junk };
  const wanted = WANTED[row.id] ?? valuesOf(schema);
  if (row.takes) return { wanted: forms(wanted), invalid: forms(invalid(wanted)), junk };
  return {
    wanted: wanted.map((value) => JSON.stringify(value)),
    invalid: invalid(wanted).map((value) => JSON.stringify(value) ?? ''),
    junk,
    missing: fc.constant(undefined),
  };
}

function forms(values: fc.Arbitrary<unknown>): fc.Arbitrary<GeneratedRequest['body']> {
  return values.map((value) => ({
    form: typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {},
  }));
}

function describedOperation({ path, method }: Row): DescribedOperation {
  const template = path.replace('/v1', '').replace(/:(\w+)/g, '{$1}');
  return (API_DESCRIPTION.paths[template]?.[method.toLowerCase()] ?? {}) as DescribedOperation;
}

function schemaOfBody(id: OperationId): Schema {
  const row = (OPERATIONS as readonly Row[]).find((candidate) => candidate.id === id);
  const content = row ? describedOperation(row).requestBody?.content : undefined;
  return content?.['application/json']?.schema ?? {};
}

// These values are described in other documents: generators, rules, connection strings and files. All other
// values come from the schemas of the description.
const definition = fc.constantFrom<unknown>(...CORE_REGISTRY.all().flatMap(({ examples }) => examples), {
  body: '{{a}}-{{b}}',
});
// The pattern in the description also matches days that do not exist.
const instant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
// Webhooks for other events would receive the end of every job.
const neverSent = fc.constantFrom(['snapshot.created'], ['snapshot.restored', 'snapshot.created']);
const receiver = fc.constantFrom(
  'https://hooks.example.com/understudy',
  'http://hooks.example.org:8443/a?b=c',
);
const name = fc.constantFrom('a', 'b', 'c', 'first name', 'é');
const generators = fc.dictionary(name, definition, { minKeys: 1, maxKeys: 3 });
const rule = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom<unknown>(
      { preserve: true },
      { generator: 'en_US/first_names' },
      { generator: 'private/customers', train: { order: 3 } },
      { generator: 'template', pattern: 'u-{{uuid}}' },
    ),
  },
  { weight: 1, arbitrary: definition },
);
const table = fc.record(
  {
    name: fc.constantFrom('customers', 'public.orders', '"Odd Schema"."T"'),
    columns: fc.dictionary(name, rule, { maxKeys: 3 }),
    unlisted_columns: fc.constantFrom('preserve', 'reject', 'null'),
  },
  { requiredKeys: ['name'] },
);
const database = fc.record({
  type: fc.constantFrom('postgresql', 'postgres'),
  connection_string: fc.constantFrom(
    'agent:shop',
    'postgresql://app:canary-password@db.canary-host.example:5432/shop',
    'postgres://db.canary-host.example/shop?sslmode=require',
  ),
});

// The agents of the tests have this name. With another selector no agent could run the work.
const anAgent = fc.constant({ name: 'a' });

const namedDatabase = fc.constantFrom(
  'shop',
  'agent:review',
  'postgresql://app:canary-password@db.canary-host.example:5432/shop',
);

const DATABASE_OPTIONS = Object.entries<Declaration>(OPTIONS)
  .filter(([, { reading }]) => reading?.mode === 'database')
  .map(([option]) => option);

const WANTED: Partial<Record<OperationId, fc.Arbitrary<unknown>>> = {
  generate: withFields('generate', {
    schema: generators.map((all) => ({ generators: all, output: Object.keys(all) })),
    count: fc.integer({ min: 1, max: 20 }),
    now: instant,
  }),
  createSyncJob: withFields('createSyncJob', {
    source: database,
    target: database,
    agent: anAgent,
    tables: fc.uniqueArray(table, { minLength: 1, maxLength: 3, selector: (one) => one.name }),
    // The agents of the tests offer no options, and `ignored_tables` requires one.
    unlisted_tables: fc.constantFrom(undefined, undefined, undefined, 'reject', 'warn', 'ignore'),
    ignored_tables: fc.constantFrom(undefined, []),
    refresh_materialized_views: fc.constantFrom(undefined, false, false, true),
    source_code: fc.constantFrom(undefined, undefined, undefined, 'omit'),
    orphans: fc.constantFrom(undefined, 'fail', 'skip', 'not_valid'),
    // Another mode refuses most of the other options, and the agents of the tests offer it to nobody.
    replace: fc.constantFrom(undefined, 'tables'),
    ...Object.fromEntries(DATABASE_OPTIONS.map((option) => [option, fc.constant(undefined)])),
    dry_run: fc.constantFrom(undefined, false, true),
    now: instant,
  }),
  createSnapshot: withFields('createSnapshot', {
    agent: anAgent,
    database: namedDatabase,
    tables: fc.uniqueArray(fc.constantFrom('customers', 'public.orders', '"Odd Schema"."T"')),
  }),
  restoreSnapshot: withFields('restoreSnapshot', { target_database: namedDatabase, agent: anAgent }),
  createMockEndpoint: withFields('createMockEndpoint', {
    path: fc.stringMatching(/^(\/[a-z]{1,8}|\/:[a-z]{1,3}){1,3}$/),
    schema: generators.map((all) => ({ generators: all, output: Object.keys(all) })),
    response: fc.record(
      {
        count: fc.integer({ min: 1, max: 20 }),
        wrapper: fc.constantFrom<unknown>('{{records}}', { data: '{{records}}', n: '{{count}}' }, [
          '{{params}}',
        ]),
        status: fc.constantFrom(200, 201, 404),
        headers: fc.constantFrom({}, { 'X-Total': '3' }),
        latency_ms: fc.constantFrom<unknown>(0, { min: 1, max: 2 }),
        fail_rate: fc.constantFrom(0, 0.5, 1),
      },
      { requiredKeys: [] },
    ),
  }),
  createWebhook: withFields('createWebhook', { url: receiver, events: neverSent }),
  changeWebhook: withFields('changeWebhook', { url: receiver, events: neverSent }),
  registerGenerator: fc.record(
    {
      name: fc.constantFrom('@fuzz/people:greeting', '@fuzz/people:farewell', '@svc/core:list'),
      version: fc.stringMatching(/^[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}$/),
      description: fc.string({ maxLength: 50 }),
      params: fc.constantFrom({ who: { type: 'string', default: 'world' } }, {}),
      body: fc.constantFrom('Hello', 'Hello {{who}}'),
    },
    { requiredKeys: ['name', 'body'] },
  ),
  uploadModel: fc.record(
    {
      name: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,20}$/),
      description: fc.string(),
      file: fc.constant('{file}'),
    },
    { requiredKeys: ['name', 'file'] },
  ),
};

/** Generates bodies from the operation's schema, and replaces the values of `fields`. */
function withFields(
  id: OperationId,
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<unknown> {
  return fc
    .tuple(valuesOf(schemaOfBody(id)), fc.record(fields))
    .map(([body, wanted]) => ({ ...(body as object), ...wanted }));
}

const MODEL_FILE = modelFile();

/** Returns the body that `fetch` sends. */
export function payloadOf({ body }: GeneratedRequest): string | FormData | undefined {
  if (typeof body !== 'object') return body;
  const form = new FormData();
  for (const [field, value] of Object.entries(body.form)) {
    if (value === '{file}') form.set(field, new Blob([MODEL_FILE]), 'names.ngram');
    else form.set(field, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  }
  return form;
}
