import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readCurl } from './curl-command.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const PAGE = readFileSync(join(__dirname, '../../../../../docs/mock-endpoints.md'), 'utf8');
/** Commands and, where one follows, the answer to the command before it. */
const BLOCKS = [...PAGE.matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => ({
  kind,
  text,
}));

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

/** What the page leaves out differs each time. */
function withGaps(expected: unknown): unknown {
  if (expected === '…') return expect.anything();
  if (Array.isArray(expected)) return expected.map(withGaps);
  if (typeof expected !== 'object' || expected === null) return expected;
  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, withGaps(value)]));
}

it('the examples of docs/mock-endpoints.md are answered as it says', async () => {
  const variables: Record<string, string> = {
    API: `${plane.url}/v1`,
    MOCK: `${plane.url}/mock`,
    TOKEN: plane.token,
  };
  let answer: unknown;
  let checked = 0;
  for (const { kind, text } of BLOCKS) {
    if (kind === 'sh') {
      const { url, ...init } = readCurl(text, variables);
      const response = await fetch(url, init);
      answer = await response.json();
      const { data } = answer as { data?: { id?: string } };
      if (response.status === 201 && data?.id !== undefined) variables['ID'] = data.id;
    } else {
      expect([text, answer]).toEqual([text, withGaps(JSON.parse(text))]);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThanOrEqual(6);
});
