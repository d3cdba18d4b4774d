import { camel, pascal, readApi, snake } from '../src/clients/read-api.js';

type Json = Record<string, unknown>;

const string = { type: 'string' };
const FIELD_PROBLEM = { type: 'object', required: ['field'], properties: { field: string } };

/** Creates a document whose one operation is `getToken`. `changes` replaces parts of it. */
function documentWith(changes: Json, schemas: Json = {}) {
  const operation = { operationId: 'getToken', 'x-client-method': 'tokens.get', responses: {}, ...changes };
  return {
    paths: { '/token': { get: operation } as Json },
    components: { schemas: { FieldProblem: FIELD_PROBLEM, ...schemas } },
  };
}

const responding = (schema: Json): Json => ({
  responses: { '200': { content: { 'application/json': { schema: { properties: { data: schema } } } } } },
});

const object = (properties: Json, required: readonly string[] = []) => ({
  type: 'object',
  required,
  properties,
});

function operation(changes: Json, schemas?: Json) {
  const api = readApi(documentWith({ ...responding(object({})), ...changes }, schemas));
  const found = api.operations.find(({ id }) => id === 'getToken');
  if (found === undefined) throw new Error('expected getToken');
  return { api, found, type: (name: string) => api.types.find((type) => type.name === name) };
}

/** Reads a response of one field. @returns the type of this field */
function typeOf(schema: Json, schemas?: Json) {
  const { type } = operation(responding(object({ value: schema })), schemas);
  return type('GetTokenResult')?.fields[0]?.type;
}

describe('the model of the API', () => {
  it('names the methods and types of an operation', () => {
    const { found, type } = operation(responding(object({ rows_read: { type: 'integer' } }, ['rows_read'])));
    expect(found).toMatchObject({
      resource: ['tokens'],
      method: ['get'],
      httpMethod: 'GET',
      retry: 'always',
    });
    expect(found.result).toEqual({ kind: 'object', name: 'GetTokenResult' });
    expect(type('GetTokenResult')?.fields).toEqual([
      { name: 'rows_read', doc: '', required: true, type: { kind: 'integer' } },
    ]);
  });

  it('keeps the parameters of path and query with their examples, and leaves out headers', () => {
    const { found } = operation({
      parameters: [
        { in: 'path', name: 'id', required: true, schema: string, example: 'tok_1' },
        { in: 'query', name: 'per_page', schema: { type: 'integer' } },
        { in: 'header', name: 'Idempotency-Key', schema: string },
      ],
    });
    expect(found.pathParameters).toEqual([
      { name: 'id', doc: '', required: true, type: { kind: 'string' }, example: 'tok_1' },
    ]);
    expect(found.query).toEqual([{ name: 'per_page', doc: '', required: false, type: { kind: 'integer' } }]);
    expect(found.idempotencyKey).toBe(true);
  });

  it('reads a union with null as a nullable type', () => {
    expect(typeOf({ anyOf: [string, { type: 'null' }] })).toEqual({
      kind: 'nullable',
      of: { kind: 'string' },
    });
  });

  it('reads a nullable union of several types', () => {
    const variants = [string, { type: 'integer' }, { type: 'null' }];
    const of = [{ kind: 'string' }, { kind: 'integer' }];
    expect(typeOf({ anyOf: variants })).toEqual({ kind: 'nullable', of: { kind: 'union', of } });
  });

  it('merges the objects of a union into a type, in which a field that one object lacks is optional', () => {
    const schemas = {
      Built: object({ id: string, state: { const: 'built' } }, ['id', 'state']),
      Trained: object({ id: string, state: { const: 'trained' }, rows: { type: 'integer' } }, [
        'id',
        'state',
        'rows',
      ]),
    };
    const variants = [{ $ref: '#/components/schemas/Built' }, { $ref: '#/components/schemas/Trained' }];
    const { found, type } = operation(responding({ oneOf: variants }), schemas);
    expect(found.result).toMatchObject({ kind: 'union', merged: 'GetTokenResult' });
    expect(type('GetTokenResult')?.fields).toEqual([
      { name: 'id', doc: '', required: true, type: { kind: 'string' } },
      { name: 'state', doc: '', required: true, type: { kind: 'string', values: ['built', 'trained'] } },
      { name: 'rows', doc: '', required: false, type: { kind: 'integer' } },
    ]);
  });

  it('gives one name to an inline object of a list, and one type to each use of a schema', () => {
    const list = { type: 'array', items: object({ name: string }) };
    expect(typeOf(list)).toEqual({ kind: 'list', of: { kind: 'object', name: 'GetTokenResultValueItem' } });
    const { api } = operation(
      responding(
        object({ one: { $ref: '#/components/schemas/Owner' }, two: { $ref: '#/components/schemas/Owner' } }),
      ),
      { Owner: object({ email: string }) },
    );
    expect(api.types.filter(({ name }) => name === 'Owner')).toHaveLength(1);
  });

  it('marks a type that is sent and received', () => {
    const body = {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Owner' }, example: {} } },
    };
    const { type } = operation(
      { ...responding({ $ref: '#/components/schemas/Owner' }), requestBody: body },
      { Owner: object({ email: string }) },
    );
    expect(type('Owner')?.usage).toBe('both');
  });

  it('finds the list of a page', () => {
    const { found } = operation(
      responding(object({ tokens: { type: 'array', items: string }, per_page: { type: 'integer' } })),
    );
    expect(found.page).toEqual({ itemsField: 'tokens', item: { kind: 'string' } });
  });

  it('leaves out an operation that only agents call', () => {
    expect(readApi(documentWith({})).operations).toHaveLength(1);
    expect(readApi(documentWith({ 'x-client-method': undefined })).operations).toEqual([]);
  });

  it('refuses a POST that accepts no idempotency key, unless a client never repeats it', () => {
    const post = (changes: Json) => {
      const document = documentWith(responding(object({})));
      const { get } = document.paths['/token'] as { get: Json };
      document.paths['/token'] = { post: { ...get, ...changes } };
      return document;
    };
    expect(() => readApi(post({}))).toThrow('getToken is a POST without Idempotency-Key');
    expect(readApi(post({ 'x-never-repeated': true })).operations[0]).toMatchObject({
      retry: 'never',
      idempotencyKey: false,
      public: true,
    });
  });

  it('refuses two types with one name and different fields', () => {
    const both = {
      Snapshot: object({ error: object({ code: string }) }),
      Restore: object({ error: object({ text: string }) }),
    };
    const values = object({
      a: { $ref: '#/components/schemas/Snapshot' },
      b: { $ref: '#/components/schemas/Restore' },
    });
    expect(() => operation(responding(values), both)).toThrow(
      'RestoreError (text) and Failure (code) have one name',
    );
  });
});

describe('names in the case of a language', () => {
  it('are made from camelCase, snake_case and kebab-case', () => {
    expect([camel('list_sync-jobs'), pascal('listSyncJobs'), snake('listSyncJobs')]).toEqual([
      'listSyncJobs',
      'ListSyncJobs',
      'list_sync_jobs',
    ]);
  });
});
