import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSchema, CORE_REGISTRY, defineComposition } from '@understudy/generator';
import { compileMode, compileWord, type NgramModel, readModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import type { BuiltinModel } from './builtin-models.js';
import { builtinModels } from './node-assets.js';

const NOTICE = join(import.meta.dirname, '../../../NOTICE');
const LOCALES =
  'cs_CZ de_DE en_GB en_US es_ES fi_FI fr_FR it_IT ja_JP nl_NL pl_PL pt_BR ru_RU sv_SE tr_TR'.split(' ');
const NAMES =
  'cities companies female_first_names first_names full_names last_names male_first_names street_addresses streets'.split(
    ' ',
  );
/**
 * The characters that Russian and Japanese values may contain. Values of all other locales must match
 * `LATIN`. `LATIN` accepts all Latin letters, because a locale's list contains names from several countries.
 */
const LETTERS: Readonly<Record<string, RegExp>> = {
  ru_RU: /^[\p{Script=Cyrillic}\d .-]+$/u,
  ja_JP: /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ヶー]+$/u,
};
const LATIN = /^[\p{Script=Latin}\p{M}\d '’.,()/-]+$/u;
const LICENCES = ['Apache-2.0', 'CC-BY-4.0', 'CC0-1.0', 'MIT', 'OGL-UK-3.0'];

const NGRAMS = builtinModels.ngramIds();
const PROSE = ['en_US/sentences'];
const NAMES_AND_WORDS = NGRAMS.filter((id) => !PROSE.includes(id));
const LISTS = ofKind('ngram', 'list').filter(
  ({ items, buckets }) => items !== undefined && buckets === undefined,
);
const COMPOSITIONS = ofKind('composition').map(({ id }) => id);

function ofKind(...kinds: BuiltinModel['kind'][]): BuiltinModel[] {
  return builtinModels.all().filter(({ kind }) => kinds.includes(kind));
}

const models = new Map<string, NgramModel>();

function model(id: string): NgramModel | undefined {
  const bytes = models.has(id) ? undefined : builtinModels.readModel(id);
  if (bytes !== undefined) models.set(id, readModel(bytes));
  return models.get(id);
}

function known(id: string): NgramModel {
  const found = model(id);
  if (found === undefined) throw new Error(`no built-in model ${id}`);
  return found;
}

function samples(id: string, count: number, constraints: Parameters<typeof compileWord>[1] = {}): string[] {
  const plan = compileWord(known(id), constraints);
  const random = new RandomStream();
  const key = rootKey('builtin-models', 1);
  return Array.from({ length: count }, (_, i) => plan.sample(random.seek(key, i)));
}

function listed(id: string): { value: string; weight: number }[] {
  return (builtinModels.readAsset(id) as (string | { value: string; weight: number })[]).map((element) =>
    typeof element === 'string' ? { value: element, weight: 1 } : element,
  );
}

function composed(id: string, count: number): string[] {
  const composition = builtinModels.readComposition(id) as { name: string };
  const options = { models: model, assets: (name: string) => builtinModels.readAsset(name), nowMs: 0 };
  const registry = CORE_REGISTRY.with(defineComposition(composition, options));
  const schema = { generators: { it: { use: composition.name } }, output: ['it'] };
  return [...compileSchema(schema, { ...options, registry }).records(1, 0, count)].map(({ it }) =>
    String(it),
  );
}

describe('built-in models', () => {
  test('have the same names in all fifteen locales', () => {
    const ids = builtinModels.all().map(({ id }) => id);
    for (const locale of LOCALES) {
      expect(ids).toEqual(expect.arrayContaining(NAMES.map((name) => `${locale}/${name}`)));
    }
    for (const name of ['words', 'sentences', 'job_titles', 'product_names', 'cities_by_state']) {
      expect(ids).toContain(`en_US/${name}`);
    }
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(builtinModels.all())('$id has an index entry with a kind, a source and a licence', (entry) => {
    expect(entry.id).toBe(`${entry.locale}/${entry.name}`);
    expect(LOCALES).toContain(entry.locale);
    for (const licence of entry.licence.split(' AND ')) expect(LICENCES).toContain(licence);
    expect(entry.source).not.toBe('');
  });

  test('have an attribution in NOTICE for every third-party source', () => {
    const notice = readFileSync(NOTICE, 'utf8').replace(/\s+/g, ' ');
    for (const credit of new Set(builtinModels.all().flatMap(({ source }) => source.split('; ')))) {
      if (credit !== 'compiled for this project') expect(notice).toContain(credit);
    }
  });

  test('take up a few megabytes in total', () => {
    const sizes = NGRAMS.map((id) => known(id).byteLength);
    const sentences = known('en_US/sentences').byteLength;
    expect(sentences).toBeLessThan(1_200_000);
    expect(Math.max(...sizes.filter((size) => size !== sentences))).toBeLessThan(300_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000_000);
  });

  test.each([
    '',
    'en_US',
    'en_US/',
    '../package',
    'en_US/../en_US/first_names',
    'en_US/first_names.ngram',
    'en_US/first_names.list.json',
    'index.json',
    'constructor',
  ])('do not include the id "%s"', (id) => {
    expect(builtinModels.readModel(id)).toBeUndefined();
    expect(builtinModels.readAsset(id)).toBeUndefined();
    expect(builtinModels.readComposition(id)).toBeUndefined();
  });
});

describe('n-gram models', () => {
  test.each(NGRAMS)('%s parses, and its metadata agrees with the index', (id) => {
    const { licence, source, order } = known(id);
    expect(known(id).id).toBe(id);
    expect(builtinModels.all().find((entry) => entry.id === id)).toMatchObject({ licence, source, order });
  });

  test.each(NAMES_AND_WORDS)(
    '%s generates values of plausible length in the letters and the case of its locale',
    (id) => {
      const isCapitalised = !id.endsWith('/words') && id !== 'nl_NL/last_names';
      const wrong = samples(id, 2000).filter(
        (value) =>
          !(LETTERS[id.slice(0, 5)] ?? LATIN).test(value) ||
          value.length > 32 ||
          value.trim() !== value ||
          (isCapitalised && !/^['’]?[\p{Lu}\d]|^'s-/u.test(value)),
      );
      expect(wrong).toEqual([]);
    },
  );

  test.each(NGRAMS)('%s generates learned values only, or new values only, as requested', (id) => {
    const plan = compileMode(known(id), 'real_word', {});
    const random = new RandomStream();
    const key = rootKey('builtin-models', 2);
    const real = new Set(Array.from({ length: 5000 }, (_, i) => plan.sample(random.seek(key, i)) ?? ''));
    expect(real.size).toBeGreaterThan(100);
    expect(real).not.toContain('');
    const { novelMass } = known(id);
    expect(novelMass).toBeGreaterThan(0);
    expect(novelMass).toBeLessThan(PROSE.includes(id) ? 0.6 : 0.06);
    const made = samples(id, 200, { excludeOriginals: true });
    expect(made.filter((value) => real.has(value))).toEqual([]);
    expect(new Set(made).size).toBeGreaterThan(3);
  });

  test('en_US/sentences generates complete sentences of plain words', () => {
    const plan = compileMode(known('en_US/sentences'), 'sentence', {});
    const random = new RandomStream();
    const key = rootKey('builtin-models', 3);
    const made = Array.from({ length: 1000 }, (_, i) => plan.sample(random.seek(key, i)) ?? '');
    expect(made.filter((text) => !/^[A-Z][A-Za-z'’]*(?:,? [A-Za-z'’]+)+\.$/.test(text))).toEqual([]);
    const words = made.map((text) => text.split(' ').length);
    expect(Math.min(...words)).toBeGreaterThan(1);
    expect(words.reduce((sum, count) => sum + count, 0) / made.length).toBeGreaterThan(8);
    expect(builtinModels.readAsset('en_US/sentences')).toBeUndefined();
  });

  test.each([
    ['en_US/first_names', 'Michael'],
    ['en_US/last_names', 'Smith'],
    ['de_DE/last_names', 'Müller'],
    ['tr_TR/cities', 'İstanbul'],
    ['pl_PL/cities', 'Łódź'],
    ['cs_CZ/male_last_names', 'Novák'],
    ['fi_FI/last_names', 'Korhonen'],
  ])('of %s gives %s the frequency of its list', (id, value) => {
    const all = listed(id);
    const total = all.reduce((sum, { weight }) => sum + weight, 0);
    const found = all.filter((element) => element.value === value);
    const share = found.reduce((sum, { weight }) => sum + weight, 0) / total;
    const drawn = samples(id, 20_000).filter((sample) => sample === value).length / 20_000;
    expect(drawn).toBeGreaterThan(share * 0.4);
    expect(drawn).toBeLessThan(share * 2);
  });
});

describe('lists', () => {
  test.each(LISTS)('$id has $items values, each with a weight', ({ id, items }) => {
    const all = listed(id);
    expect(all).toHaveLength(items ?? 0);
    const wrong = all.filter(
      ({ value, weight }) =>
        value !== value.trim().normalize('NFC') ||
        !(LETTERS[id.slice(0, 5)] ?? LATIN).test(value) ||
        !(Number.isSafeInteger(weight) && weight > 0),
    );
    expect(wrong).toEqual([]);
  });

  test('group US cities by state in a map of arrays', () => {
    const buckets = builtinModels.readAsset('en_US/cities_by_state') as Record<string, string[]>;
    expect(Object.keys(buckets)).toHaveLength(51);
    expect(buckets['TX']).toEqual(expect.arrayContaining(['Austin', 'Dallas', 'Houston']));
    expect(buckets['TX']).not.toContain('Seattle');
  });

  test('use the surname form of the right sex in Czech, Polish and Russian names', () => {
    const values = (id: string): Set<string> => new Set(listed(id).map(({ value }) => value));
    expect(values('cs_CZ/female_last_names')).toContain('Nováková');
    expect(values('pl_PL/female_last_names')).toContain('Kowalska');
    expect(values('pl_PL/female_last_names')).not.toContain('Kowalski');
    expect(values('ru_RU/female_last_names')).toContain('Иванова');
    expect(values('ru_RU/female_last_names')).not.toContain('Иванов');
  });
});

describe('compositions', () => {
  test.each(COMPOSITIONS)('%s generates text without gaps', (id) => {
    const wrong = composed(id, 300).filter(
      (value) =>
        value !== value.trim() ||
        /[{}]|undefined|null| {2}/.test(value) ||
        value.length <= 1 ||
        value.length >= 80,
    );
    expect(wrong).toEqual([]);
  });

  test.each(['cs_CZ', 'pl_PL', 'ru_RU'])(
    '%s/full_names joins a first name and a last name of the same sex',
    (locale) => {
      const first = {
        female: samplesOf(`${locale}/female_first_names`),
        male: samplesOf(`${locale}/male_first_names`),
      };
      const last = {
        female: samplesOf(`${locale}/female_last_names`),
        male: samplesOf(`${locale}/male_last_names`),
      };
      const wrong = composed(`${locale}/full_names`, 500).filter((name) => {
        const words = name.split(' ');
        return words.some((a) => words.some((b) => isOnly(first, 'female', a) && isOnly(last, 'male', b)));
      });
      expect(wrong).toEqual([]);
    },
  );

  test('put the parts of an address in the local order', () => {
    const matches = (id: string, pattern: RegExp): boolean =>
      composed(id, 100).every((value) => pattern.test(value));
    expect(matches('ja_JP/full_names', /^[^\s]{2,8}$/)).toBe(true);
    expect(matches('ru_RU/full_names', /^\S+ \S+ \S+(?:ич|на)$/)).toBe(true);
    expect(matches('en_US/street_addresses', /^\d+ \S/)).toBe(true);
    expect(matches('de_DE/street_addresses', /\S \d+[a-c]?$/)).toBe(true);
    expect(matches('pt_BR/street_addresses', /^\p{Lu}\p{L}+ .+, \d+/u)).toBe(true);
  });
});

/** The distinct values of a list. */
function samplesOf(id: string): ReadonlySet<string> {
  return new Set(listed(id).map(({ value }) => value));
}

interface BySex {
  readonly female: ReadonlySet<string>;
  readonly male: ReadonlySet<string>;
}

function isOnly(names: BySex, sex: keyof BySex, name: string): boolean {
  return names[sex].has(name) && !names[sex === 'female' ? 'male' : 'female'].has(name);
}
