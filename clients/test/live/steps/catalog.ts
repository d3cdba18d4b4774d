import { NgramTrainer } from '@understudy/ngram';

import { ALL_PAGES, at, DELETED, filter, NOT_FOUND, PAGE, send, type Step } from '../step.js';
import { NUMBERS } from './generate.js';

const NAMES = ['Anna', 'Anton', 'Berta', 'Bernd', 'Carla', 'Clara', 'Dora', 'Doris', 'Emil', 'Emma'];

const FILE = modelFile();

/** Creates a real model file. */
function modelFile(): { base64: string } {
  const trainer = new NgramTrainer({ order: 3, name: 'names', locale: 'de_DE', originals: 'none' });
  for (const name of NAMES) trainer.add(name);
  return { base64: Buffer.from(trainer.finish()).toString('base64') };
}

const MODELS: readonly Step[] = [
  {
    call: 'models.upload',
    title: 'sends the file of a model',
    request: () => ({ body: { file: FILE, name: 'Names', id: 'names', description: 'ten names' } }),
    response: { result: { id: 'custom/names', name: 'Names', type: 'custom', ngram_order: 3 } },
  },
  {
    call: 'models.list',
    title: PAGE,
    request: filter({ type: 'custom', kind: 'ngram', per_page: 5 }),
    response: { result: { models: [{ id: 'custom/names' }], total: 1, page: 1, per_page: 5 } },
  },
  {
    call: 'models.iterate',
    title: ALL_PAGES,
    request: filter({ type: 'custom' }),
    response: { result: [{ id: 'custom/names', locale: 'de_DE' }] },
  },
  {
    call: 'models.get',
    title: 'encodes the slash of the id',
    request: at('models.upload'),
    response: { result: { id: 'custom/names', description: 'ten names' } },
  },
  {
    call: 'models.download',
    title: 'returns the bytes that were uploaded',
    request: at('models.upload'),
    response: { result: FILE },
  },
  {
    call: 'models.delete',
    title: 'deletes the model',
    request: at('models.upload'),
    response: DELETED,
  },
  {
    call: 'models.get',
    title: 'does not find a deleted model',
    request: at('models.upload'),
    response: NOT_FOUND,
  },
];

const COMPOSITION = { name: '@acme/people:greeting', version: '1.2.3', body: 'Hello' };
const GENERATORS: readonly Step[] = [
  {
    call: 'generators.register',
    title: 'registers a composition',
    request: send(COMPOSITION),
    response: { result: { id: '@acme/people:greeting@1.2.3', versions: ['1.2.3'] } },
  },
  {
    call: 'generators.list',
    title: PAGE,
    request: filter({ name: COMPOSITION.name }),
    response: { result: { generators: [{ version: '1.2.3' }], total: 1 } },
  },
  {
    call: 'generators.iterate',
    title: ALL_PAGES,
    request: filter({ namespace: 'acme' }),
    response: { result: [{ version: '1.2.3' }] },
  },
  {
    call: 'generators.get',
    title: 'encodes the id',
    request: at('generators.register'),
    response: { result: { definition: COMPOSITION } },
  },
  {
    call: 'generators.delete',
    title: 'deletes the composition',
    request: at('generators.register'),
    response: DELETED,
  },
];

const RESPONSE = { count: 2, wrapper: { data: '{{records}}' }, latency_ms: { min: 1, max: 2 } };
const MOCK_ENDPOINTS: readonly Step[] = [
  {
    call: 'mockEndpoints.create',
    title: 'creates an endpoint',
    request: send({ path: '/api/numbers', method: 'GET', schema: NUMBERS, response: RESPONSE }),
    response: { result: { path: '/api/numbers', schema: NUMBERS, response: RESPONSE } },
  },
  {
    call: 'mockEndpoints.list',
    title: PAGE,
    response: { result: { endpoints: [{ path: '/api/numbers' }], total: 1 } },
  },
  {
    call: 'mockEndpoints.iterate',
    title: ALL_PAGES,
    response: { result: [{ path: '/api/numbers', auth: 'none' }] },
  },
  {
    call: 'mockEndpoints.get',
    title: 'returns the endpoint',
    request: at('mockEndpoints.create'),
    response: { result: { response: RESPONSE } },
  },
  {
    call: 'mockEndpoints.delete',
    title: 'deletes the endpoint',
    request: at('mockEndpoints.create'),
    response: DELETED,
  },
];

/** Models, compositions and mock endpoints. */
export const CATALOG: readonly Step[] = [...MODELS, ...GENERATORS, ...MOCK_ENDPOINTS];
