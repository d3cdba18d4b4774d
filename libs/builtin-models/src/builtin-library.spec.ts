import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { compileSchema, DefinitionError, type Problem } from '@understudy/generator';
import { BuiltinLibrary } from './builtin-library.js';
import { BuiltinModels } from './builtin-models.js';
import { BUILTIN_ASSETS_FOLDER, builtinLibrary, builtinModels } from './node-assets.js';

const library = builtinLibrary();

function values(definition: unknown, count = 20): unknown[] {
  const plan = compileSchema({ generators: { it: definition }, output: ['it'] }, { ...library, nowMs: 0 });
  return [...plan.records(1, 0, count)].map((record) => record['it']);
}

function problems(definition: unknown): readonly Problem[] {
  try {
    values(definition);
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
  return [];
}

const textual = builtinModels.all().filter(({ buckets }) => buckets === undefined);

describe('BuiltinLibrary', () => {
  test.each(textual)('serves $id, a $kind, as a model', ({ id }) => {
    const made = values({ type: 'model', source: id });
    expect(made.every((value) => typeof value === 'string' && value !== '')).toBe(true);
    expect(new Set(made).size).toBeGreaterThan(3);
  });

  test('serves lists as assets, including the lists of n-gram models', () => {
    for (const id of ['ja_JP/cities', 'de_DE/cities']) {
      const listed = JSON.stringify(builtinModels.readAsset(id));
      for (const city of values({ type: 'list', source: { asset: id } })) {
        expect(listed).toContain(JSON.stringify(city));
      }
    }
    const bucket = { type: 'list', source: 'en_US/cities_by_state', key: 'TX' };
    expect(values(bucket, 400)).toContain('Austin');
    expect(problems({ type: 'model', source: 'en_US/cities_by_state' })[0]?.message).toContain(
      'map of lists',
    );
  });

  test.each(builtinModels.all().filter(({ kind }) => kind === 'composition'))(
    'serves $id by its id and by its registered name',
    ({ id, locale, name }) => {
      const made = values({ type: 'model', source: id });
      expect(values({ use: id })).toEqual(made);
      const registered = `@models/${locale.toLowerCase().replace('_', '-')}:${name}`;
      expect(values({ use: registered })).toEqual(made);
      expect(library.registry.find(registered)?.name).toBe(registered);
    },
  );

  test('applies the constraints of a model to a list', () => {
    const made = values({ type: 'model', source: 'ja_JP/cities', constraints: { starts_with: '横' } });
    expect(made.every((city) => String(city).startsWith('横'))).toBe(true);
  });

  test.each(['', 'constructor', 'xx_XX/first_names', '../../package', '@models/en-us:nothing'])(
    'has no model called "%s"',
    (id) => {
      expect(library.models(id)).toBeUndefined();
      expect(library.assets(id)).toBeUndefined();
      expect(library.registry.find(id)).toBeUndefined();
    },
  );

  test('suggests the composition whose name is closest to a misspelt one', () => {
    expect(problems({ use: 'en_US/full_name' })).toEqual([
      {
        path: 'generators.it.use',
        message: 'no generator of this name is registered; did you mean "en_US/full_names"?',
      },
    ]);
  });

  test('reads each file from its reader, when it is first needed, and once', () => {
    const read: string[] = [];
    const ofReader = new BuiltinLibrary(
      new BuiltinModels({
        read(path) {
          read.push(path);
          return readFileSync(join(BUILTIN_ASSETS_FOLDER, path));
        },
      }),
    );
    expect(read).toEqual([]);
    const city = { type: 'list', source: 'de_DE/cities' };
    const schema = { generators: { name: { use: 'de_DE/full_names' }, city }, output: ['name', 'city'] };
    const records = (sources: BuiltinLibrary): unknown[] => [
      ...compileSchema(schema, { ...sources, nowMs: 0 }).records(1, 0, 20),
    ];
    expect(records(ofReader)).toEqual(records(library));
    const used = [...read];
    expect(used.sort()).toEqual(
      [
        'de_DE/cities.list.json',
        'de_DE/first_names.ngram',
        'de_DE/full_names.composition.json',
        'de_DE/last_names.ngram',
        'index.json',
      ].sort(),
    );
    records(ofReader);
    expect(read).toHaveLength(used.length);
  });

  test('refuses to go on if its reader lacks a file of the index', () => {
    const index = JSON.stringify([{ id: 'xx_XX/words', kind: 'ngram', locale: 'xx_XX', name: 'words' }]);
    const models = new BuiltinModels({
      read: (path) => (path === 'index.json' ? new TextEncoder().encode(index) : undefined),
    });
    expect(() => new BuiltinLibrary(models).models('xx_XX/words')).toThrow(
      'expected the file xx_XX/words.ngram of the built-in models, found none',
    );
  });
});
