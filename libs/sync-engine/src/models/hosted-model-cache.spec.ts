import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { HostedModelCache } from './hosted-model-cache.js';
import { contentHash } from './model-store.js';

const state = mkdtempSync(join(tmpdir(), 'understudy-cache-'));
afterAll(() => rmSync(state, { recursive: true }));

const folder = join(state, 'models', 'hosted');
const fileOf = (fill: number) => new Uint8Array(400).fill(fill);
const hashOf = (fill: number) => contentHash(fileOf(fill));
const kept = () => [1, 2, 3, 4].filter((fill) => readdirSync(folder).includes(`${hashOf(fill)}.ngram`));
/** Marks a file as last used `seconds` seconds ago. */
const usedAgo = (fill: number, seconds: number) => {
  const at = new Date(Date.now() - seconds * 1_000);
  utimesSync(join(folder, `${hashOf(fill)}.ngram`), at, at);
};

it('keeps the most recently used files within its size limit, and always the one just written', async () => {
  const cache = new HostedModelCache(state, 1_000);
  for (const fill of [1, 2]) await cache.write(hashOf(fill), fileOf(fill));
  usedAgo(1, 60);
  usedAgo(2, 30);
  expect(await cache.read(hashOf(1))).toEqual(Buffer.from(fileOf(1))); // the first file is now more recently used than the second
  await cache.write(hashOf(3), fileOf(3));
  expect(kept()).toEqual([1, 3]);
  expect(statSync(join(folder, `${hashOf(3)}.ngram`)).mode & 0o777).toBe(0o600);

  writeFileSync(join(folder, '.left-by-a-crash.tmp'), fileOf(9));
  const small = new HostedModelCache(state, 100);
  await small.write(hashOf(4), fileOf(4));
  expect(readdirSync(folder)).toEqual([`${hashOf(4)}.ngram`]);
});

it('does not return a file whose content does not match the hash in its name', async () => {
  const cache = new HostedModelCache(state, 1_000);
  await cache.write(hashOf(1), fileOf(1));
  writeFileSync(join(folder, `${hashOf(1)}.ngram`), fileOf(2));
  expect(await cache.read(hashOf(1))).toBeUndefined();
  expect(kept()).not.toContain(1);
  await expect(cache.read('../../identity')).rejects.toThrow('expected a SHA-256 in lower-case hex');
});
