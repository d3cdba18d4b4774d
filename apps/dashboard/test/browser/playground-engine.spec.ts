import { builtinModels } from '@understudy/builtin-models/node';
import { CORE_REGISTRY } from '@understudy/generator';
import { inRelease, it } from '@understudy/testing';
import type { Worker } from 'playwright-core';

import { EXAMPLES } from '../../src/playground/state/examples.js';
import type { RecordsRequest, RecordsResponse } from '../../src/engine/worker/messages.js';
import { describeDashboard } from '../harness/dashboard-test.js';

type Definition = Readonly<Record<string, unknown>>;
type Format = 'json' | 'ndjson' | 'csv';

const NOW = '2026-01-01T00:00:00Z';
const COUNT = 25;
/** The number of generators in one schema, so that the test needs few calls. */
const TOGETHER = 20;

/** Every example of every generator in docs/reference/generators.md. */
const DOCUMENTED = CORE_REGISTRY.all().flatMap(({ name, examples }) =>
  examples.map((definition, index) => [`${name} ${index + 1}`, definition] as const),
);
/** Every built-in model, list and composition in docs/reference/models.md, except maps of lists. */
const MODELS = builtinModels
  .all()
  .filter(({ buckets }) => buckets === undefined)
  .map(({ id }) => [id, { type: 'model', source: id }] as const);

/** Divides definitions among schemas. */
function schemasOf(named: readonly (readonly [string, Definition])[]): { title: string; schema: object }[] {
  const schemas = [];
  for (let from = 0; from < named.length; from += TOGETHER) {
    const part = named.slice(from, from + TOGETHER);
    const generators = Object.fromEntries(part.map(([, definition], index) => [`g${index}`, definition]));
    schemas.push({
      title: part.map(([title]) => title).join(', '),
      schema: { generators, output: Object.keys(generators) },
    });
  }
  return schemas;
}

/** Returns a schema whose only column is the slug of a text. */
function slugOf(text: string): object {
  return { generators: { name: { computed: `slug("${text}")` } }, output: ['name'] };
}

/** Sends requests to the worker of the page together, and returns its responses in the order in which it sends them. */
function respond(worker: Worker, ...requests: RecordsRequest[]): Promise<RecordsResponse[]> {
  return worker.evaluate(async (all) => {
    const scope = globalThis as unknown as { postMessage: (response: RecordsResponse) => void };
    const { postMessage } = scope;
    const responses = await new Promise<RecordsResponse[]>((resolve) => {
      const received: RecordsResponse[] = [];
      scope.postMessage = (response) => {
        if (received.push(response) === all.length) resolve(received);
      };
      for (const data of all) globalThis.dispatchEvent(new MessageEvent('message', { data }));
    });
    scope.postMessage = postMessage;
    return responses;
  }, requests);
}

describeDashboard('the engine in the browser', (dashboard) => {
  /** Returns the bytes of the API's response. For JSON, only the array of records. */
  async function apiText(schema: object, seed: number, format: Format): Promise<string> {
    const response = await fetch(`${dashboard().system.baseUrl}/generate`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${dashboard().organization.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ schema, count: COUNT, seed, now: NOW, format }),
    });
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    return format === 'json' ? (/"records":(\[.*\]),"count":/s.exec(text)?.[1] ?? '') : text;
  }

  async function pageWorker(): Promise<Worker> {
    const page = await dashboard().open('/playground');
    const worker = page.workers()[0] ?? (await page.waitForEvent('worker'));
    await page
      .getByText(/records in/)
      .first()
      .waitFor();
    return worker;
  }

  async function expectSameBytes(
    schemas: readonly { title: string; schema: object }[],
    format: Format,
    seeds: readonly number[],
  ) {
    const worker = await pageWorker();
    for (const { title, schema } of schemas)
      for (const seed of seeds) {
        const text = JSON.stringify(schema);
        const request = { kind: 'records' as const, schema: text, seed, count: COUNT, format };
        const [response] = await respond(worker, { ...request, nowMs: Date.parse(NOW) });
        const expected = await apiText(schema, seed, format);
        expect(expected.length).toBeGreaterThan(COUNT);
        expect([title, response]).toEqual([
          title,
          { kind: 'records', output: { kind: 'text', text: expected }, warnings: expect.any(Array) },
        ]);
      }
  }

  it('gives the bytes of the API for every example of every documented generator', async () => {
    expect(new Set(DOCUMENTED.map(([name]) => name.replace(/ \d+$/, ''))).size).toBe(
      CORE_REGISTRY.all().length,
    );
    await expectSameBytes(schemasOf(DOCUMENTED), 'ndjson', [42, -7]);
  });

  inRelease('gives the bytes of the API for every built-in model, list and composition', async () => {
    expect(MODELS.length).toBeGreaterThan(140);
    await expectSameBytes(schemasOf(MODELS), 'ndjson', [-7]);
  });

  it.each(['json', 'csv'] as const)('gives the bytes of the API as %s', async (format) => {
    await expectSameBytes(
      [...schemasOf(DOCUMENTED), ...EXAMPLES.map(({ title, schema }) => ({ title, schema }))],
      format,
      [42],
    );
  });

  it('gives the problems of the API for a schema that the API refuses', async () => {
    const schema = { generators: { a: { type: 'svc', algorithm: 'int_between', params: { min: 'x' } } } };
    const [response] = await respond(await pageWorker(), {
      ...{ kind: 'records', schema: JSON.stringify(schema), seed: 1, count: 1, nowMs: 0, format: 'csv' },
    });
    const refusal = await apiText(schema, 1, 'csv').catch((error: Error) => error.message);
    const { error } = JSON.parse(String(refusal).replace(/^422: /, '')) as {
      error: { details: { field: string; message: string }[] };
    };
    const problems = error.details.map(({ field, message }) => ({
      path: field.replace(/^schema\.?/, ''),
      message,
    }));
    expect(problems.length).toBeGreaterThan(1);
    expect(response).toMatchObject({ kind: 'refused', problems });
  });

  it('loads the tables of other scripts when a text needs them, and responds in the order of the requests', async () => {
    const requests = ['Щукина', 'plain'].map(slugOf).map((schema) => ({
      ...{ kind: 'records' as const, schema: JSON.stringify(schema), seed: 1, count: 1, nowMs: 0 },
      format: 'csv' as const,
    }));
    expect(await respond(await pageWorker(), ...requests)).toMatchObject(
      ['shchukina', 'plain'].map((text) => ({ output: { text: `name\r\n${text}\r\n` } })),
    );
  });

  it('shows an error if the tables cannot be fetched, and fetches them again on request', async () => {
    const page = await dashboard().open('/playground');
    await page
      .getByText(/records in/)
      .first()
      .waitFor();
    await page.route(/any-ascii/, (route) => route.abort());
    await page.getByRole('textbox', { name: 'Schema as JSON' }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(JSON.stringify(slugOf('Щукина')));
    await page.getByText('A file of the engine could not be loaded').waitFor();
    await page.unroute(/any-ascii/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('cell', { name: 'shchukina' }).first().waitFor();
  });
});
