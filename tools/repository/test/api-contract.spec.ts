import { join } from 'node:path';

import { contractOf } from '../src/api-contract/api-contract.js';
import { apiContractHolds } from '../src/api-contract/api-contract-holds.js';
import { breakingChanges } from '../src/api-contract/breaking-changes.js';

type Json = Record<string, unknown>;

/** Creates the document of a small API. Each case changes a copy. */
const api = () => ({
  paths: {
    '/shops': {
      get: {
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
        responses: { '200': response({ $ref: '#/components/schemas/Shop' }), '404': { description: 'none' } },
      } as Json,
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string' },
                  kind: { enum: ['book', 'shoe'] },
                  size: { type: ['integer', 'null'] },
                } as Json,
              },
            },
          },
        },
        responses: { '201': response({ $ref: '#/components/schemas/Shop' }) },
      },
    } as Json,
  },
  components: {
    schemas: {
      Shop: {
        type: 'object',
        required: ['id', 'owner'],
        properties: {
          id: { type: 'string' },
          owner: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] },
          shelves: { type: 'array', items: { type: 'object', properties: { number: { type: 'integer' } } } },
          branches: { type: 'array', items: { $ref: '#/components/schemas/Shop' } },
        } as Json,
      },
      Owner: { type: 'object', required: ['email'], properties: { email: { type: 'string' } } as Json },
    },
  },
});
type Api = ReturnType<typeof api>;

function response(schema: Json): Json {
  const headers = { 'X-Request': { required: true, schema: { type: 'string' } } };
  return { description: 'fine', headers, content: { 'application/json': { schema } } };
}

const changed = (change: (document: Api) => void) => {
  const document = api();
  change(document);
  return breakingChanges(contractOf(api()), contractOf(document));
};
const shops = (document: Api) => document.paths['/shops'] as { get: Json; post: Json };
const body = (document: Api) =>
  (
    shops(document).post['requestBody'] as {
      content: { 'application/json': { schema: { required: string[]; properties: Json } } };
    }
  ).content['application/json'].schema;
const shop = (document: Api) => document.components.schemas.Shop;

describe('the check for breaking API changes', () => {
  it.each<[string, (document: Api) => void, string[]]>([
    ['nothing for an unchanged API', () => undefined, []],
    [
      'a removed operation',
      (d) => delete (shops(d) as Json)['get'],
      expect.arrayContaining(['GET /shops is no longer accepted']),
    ],
    [
      'a removed parameter',
      (d) => (shops(d).get['parameters'] = []),
      ['GET /shops query.page is no longer accepted'],
    ],
    [
      'a removed field of a request',
      (d) => delete body(d).properties['size'],
      ['POST /shops body.size is no longer accepted'],
    ],
    [
      'a field that becomes required',
      (d) => body(d).required.push('kind'),
      ['POST /shops body.kind is now required'],
    ],
    [
      'a new required field',
      (d) => {
        body(d).required.push('city');
        body(d).properties['city'] = { type: 'string' };
      },
      ['POST /shops body.city is new and required'],
    ],
    [
      'a type that is no longer accepted',
      (d) => (body(d).properties['size'] = { type: 'integer' }),
      ['POST /shops body.size no longer accepts null'],
    ],
    [
      'a value that is no longer accepted',
      (d) => (body(d).properties['kind'] = { enum: ['book'] }),
      ['POST /shops body.kind no longer accepts "shoe"'],
    ],
    [
      'a removed field of a response, also inside lists and references',
      (d) => delete (d.components.schemas.Owner.properties as Json)['email'],
      [
        'GET /shops 200 body.owner.email is no longer returned',
        'POST /shops 201 body.owner.email is no longer returned',
      ],
    ],
    [
      'a field of a response that may now be missing',
      (d) => shop(d).required.pop(),
      ['GET /shops 200 body.owner may now be missing', 'POST /shops 201 body.owner may now be missing'],
    ],
    [
      'a field of a response that may now be null',
      (d) => (shop(d).properties['id'] = { type: ['string', 'null'] }),
      ['GET /shops 200 body.id may now be null', 'POST /shops 201 body.id may now be null'],
    ],
    [
      'a removed header',
      (d) => ((shops(d).get['responses'] as { '200': Json })['200']['headers'] = {}),
      ['GET /shops 200 header X-Request is no longer returned'],
    ],
  ])('[9/3] reports %s', (_, change, breaks) => {
    expect(changed(change)).toEqual(breaks);
  });

  it('[9/3] reports nothing for the current API compared with the recorded one', async () => {
    expect(await apiContractHolds(join(import.meta.dirname, '../../..'))).toMatch(/^\d{4} locations$/);
  });

  it('[9/4] reports nothing for additions and for requests with fewer restrictions', () => {
    const added = changed((d) => {
      (d.paths as Json)['/towns'] = { post: shops(api()).post };
      body(d).properties['city'] = { type: 'string' };
      body(d).properties['kind'] = { type: 'string' };
      body(d).required = [];
      shop(d).properties['city'] = { type: 'string' };
      shop(d).required.push('branches');
      (shops(d).get['responses'] as Json)['409'] = { description: 'a conflict' };
    });
    expect(added).toEqual([]);
  });
});
