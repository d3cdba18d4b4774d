import { join } from 'node:path';

import { contractOf } from '../src/api-contract/api-contract.js';
import { apiContractHolds } from '../src/api-contract/api-contract-holds.js';
import { breakingChanges } from '../src/api-contract/breaking-changes.js';

type Json = Record<string, unknown>;

/** A small API; each case changes a copy of it. */
const api = () => ({
  paths: {
    '/shops': {
      get: {
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
        responses: { '200': answer({ $ref: '#/components/schemas/Shop' }), '404': { description: 'none' } },
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
        responses: { '201': answer({ $ref: '#/components/schemas/Shop' }) },
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

function answer(schema: Json): Json {
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

describe('what breaks clients of an API', () => {
  it.each<[string, (document: Api) => void, string[]]>([
    ['nothing that stayed', () => undefined, []],
    [
      'an operation that went',
      (d) => delete (shops(d) as Json)['get'],
      expect.arrayContaining(['GET /shops is not taken any more']),
    ],
    [
      'a parameter that went',
      (d) => (shops(d).get['parameters'] = []),
      ['GET /shops query.page is not taken any more'],
    ],
    [
      'a field of a request that went',
      (d) => delete body(d).properties['size'],
      ['POST /shops body.size is not taken any more'],
    ],
    [
      'a field that must be given',
      (d) => body(d).required.push('kind'),
      ['POST /shops body.kind must be given now'],
    ],
    [
      'a new field that must be given',
      (d) => {
        body(d).required.push('city');
        body(d).properties['city'] = { type: 'string' };
      },
      ['POST /shops body.city is new and must be given'],
    ],
    [
      'a type that is refused',
      (d) => (body(d).properties['size'] = { type: 'integer' }),
      ['POST /shops body.size does not take null any more'],
    ],
    [
      'a value that is refused',
      (d) => (body(d).properties['kind'] = { enum: ['book'] }),
      ['POST /shops body.kind does not take "shoe" any more'],
    ],
    [
      'a field of an answer that went, inside of lists and references too',
      (d) => delete (d.components.schemas.Owner.properties as Json)['email'],
      [
        'GET /shops 200 body.owner.email is not answered any more',
        'POST /shops 201 body.owner.email is not answered any more',
      ],
    ],
    [
      'a field of an answer that may be missing',
      (d) => shop(d).required.pop(),
      ['GET /shops 200 body.owner may be missing now', 'POST /shops 201 body.owner may be missing now'],
    ],
    [
      'a field of an answer that may be null',
      (d) => (shop(d).properties['id'] = { type: ['string', 'null'] }),
      ['GET /shops 200 body.id may be null now', 'POST /shops 201 body.id may be null now'],
    ],
    [
      'a header that went',
      (d) => ((shops(d).get['responses'] as { '200': Json })['200']['headers'] = {}),
      ['GET /shops 200 header X-Request is not answered any more'],
    ],
  ])('is %s', (_, change, breaks) => {
    expect(changed(change)).toEqual(breaks);
  });

  it('is nothing that the API of today does to clients of the recorded one', async () => {
    expect(await apiContractHolds(join(import.meta.dirname, '../../..'))).toMatch(/^\d{4} places$/);
  });

  it('is not what was added, nor what is taken more freely', () => {
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
