import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compileWord, type NgramModel, readModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import { builtinModelIds, readBuiltinModel } from './builtin-models.js';

const REPOSITORY = join(import.meta.dirname, '../../..');

function model(id: string): NgramModel {
  const bytes = readBuiltinModel(id);
  if (bytes === undefined) throw new Error(`no built-in model ${id}`);
  return readModel(bytes);
}

function samples(of: NgramModel, count: number): string[] {
  const plan = compileWord(of, {});
  const random = new RandomStream();
  const key = rootKey('builtin-models', 1);
  return Array.from({ length: count }, (_, i) => plan.sample(random.seek(key, i)));
}

describe('built-in models', () => {
  test('are en_US first and last names', () => {
    expect(builtinModelIds()).toEqual(['en_US/first_names', 'en_US/last_names']);
  });

  test.each(builtinModelIds())('%s parses, is small, and states its id, licence and source', (id) => {
    const read = model(id);
    expect(read.id).toBe(id);
    expect(read.licence).toMatch(/^(CC0-1\.0|MIT)$/);
    expect(read.source).not.toBe('');
    expect(read.byteLength).toBeLessThan(400_000);
  });

  test.each(builtinModelIds())('%s writes capitalised words of letters, of believable length', (id) => {
    const words = samples(model(id), 5000);
    expect(words.filter((word) => !/^[A-Z][A-Za-z']{1,19}$/.test(word))).toEqual([]);
    const mean = words.reduce((sum, word) => sum + word.length, 0) / words.length;
    expect(mean).toBeGreaterThan(5);
    expect(mean).toBeLessThan(8);
    expect(new Set(words).size).toBeGreaterThan(700);
  });

  test('frequent names stay frequent', () => {
    expect(
      samples(model('en_US/first_names'), 5000).filter((name) => name === 'Michael').length,
    ).toBeGreaterThan(40);
    expect(
      samples(model('en_US/last_names'), 5000).filter((name) => name === 'Smith').length,
    ).toBeGreaterThan(60);
  });

  test.each(builtinModelIds())('%s has new words when originals are excluded', (id) => {
    const read = model(id);
    const plan = compileWord(read, { excludeOriginals: true, maxLength: 12 });
    const random = new RandomStream();
    const key = rootKey('builtin-models', 2);
    const words = new Set(Array.from({ length: 2000 }, (_, i) => plan.sample(random.seek(key, i))));
    expect(words.has('Michael') || words.has('Smith')).toBe(false);
    expect(words.size).toBeGreaterThan(200);
  });

  test.each([
    '',
    'en_US',
    'en_US/',
    '../package',
    'en_US/../en_US/first_names',
    'en_US/first_names.ngram',
    'constructor',
  ])('the id "%s" is unknown', (id) => {
    expect(readBuiltinModel(id)).toBeUndefined();
  });

  // The builder runs from dist, which exists wherever the project was built; a checkout that was not has no say here.
  const isBuilt = existsSync(join(REPOSITORY, 'libs/ngram/dist/index.js'));
  (isBuilt ? test : test.skip)('are what their sources give, byte for byte', () => {
    const printed = execFileSync(process.execPath, ['models/build.mjs', '--check'], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    });
    for (const id of builtinModelIds()) expect(printed).toContain(`${id}: `);
  });
});
