import { NgramTrainer } from '@understudy/ngram';
import { COMPOSITIONS } from './compositions.mjs';
import { provenance } from './origins.mjs';
import { ROWS } from './rows.mjs';
import { usCitiesByState } from './us-cities-by-state.mjs';

/** Fewer values than these make no honest n-gram: it would only repeat them. */
const MIN_NGRAM_VALUES = 300;

/**
 * Everything that goes into libs/builtin-models/assets: bytes by path, and what the index says of each id. `values` are
 * those of each list and `learned` those of each model, for the page of samples and for tests.
 */
export function buildAssets() {
  const assets = { files: new Map(), index: [], values: new Map(), learned: new Map() };
  const origins = new Map();
  for (const row of ROWS) addRow(row, assets, origins);
  addBuckets(usCitiesByState(), assets);
  const kinds = new Map(assets.index.map(({ id, kind }) => [id, kind]));
  for (const composition of COMPOSITIONS) addComposition(composition, kinds, assets, origins);
  assets.index.sort((a, b) => (a.id < b.id ? -1 : 1));
  assets.files.set('index.json', text(assets.index));
  return assets;
}

function addRow(row, { files, index, values, learned }, origins) {
  const of = row.of?.map((name) => `${row.locale}/${name}`);
  const parts = read(row.parts, row.locale);
  const learns = row.learns && (row.learns === row.parts ? parts : read(row.learns, row.locale));
  const list = of === undefined ? weigh(parts, row.scale) : of.flatMap((id) => values.get(id));
  const model =
    learns === undefined ? blend(of.map((id) => [{ values: learned.get(id) }, 1])) : weigh(learns, row.scale);
  values.set(row.id, list);
  learned.set(row.id, model);
  // Sentences are longer than what is learnt from them; their model holds them.
  const hasList = row.tokenType !== 'word';
  if (hasList) files.set(`${row.id}.list.json`, text(of === undefined ? listFile(list) : { of }));

  const isNgram = row.order !== undefined && model.length >= MIN_NGRAM_VALUES;
  const used = new Set([...parts, ...(isNgram && learns ? learns : [])].map(([{ origin }]) => origin));
  for (const origin of (of ?? []).flatMap((id) => [...origins.get(id)])) used.add(origin);
  origins.set(row.id, used);
  const about = {
    id: row.id,
    kind: 'list',
    locale: row.locale,
    name: row.name,
    ...provenance(used),
    ...(hasList && { items: list.length }),
  };
  if (isNgram) {
    const { bytes, transitions } = train(row, model, about);
    files.set(`${row.id}.ngram`, bytes);
    index.push({ ...about, kind: 'ngram', order: row.order, learned: model.length, transitions });
  } else {
    index.push(about);
  }
}

/** Pairs of what a source gives and its share. */
function read(parts, locale) {
  return parts.map(([source, share]) => [source(locale), share]);
}

/** Pairs of value and weight: blended, or with a scale the sources' own. */
function weigh(parts, scale) {
  if (scale === undefined) return blend(parts);
  return parts.flatMap(([{ values }]) =>
    values.map(([value, weight]) => [value, Math.round(weight * scale)]),
  );
}

/** With the values themselves, which are public: for mode `real_word`, and for the quickest `exclude_originals`. */
function train({ id, name, locale, order, tokenType }, values, { licence, source }) {
  const originals = 'values';
  const trainer = new NgramTrainer({ id, name, locale, order, tokenType, licence, source, originals });
  for (const [value, weight] of values) trainer.add(value, weight);
  return { bytes: trainer.finish(), transitions: trainer.report().transitionsKept };
}

function listFile(entries) {
  const values = entries.map(([value]) => value);
  const weights = entries.map(([, weight]) => weight);
  return weights.every((weight) => weight === weights[0]) ? { values } : { values, weights };
}

function addBuckets({ id, buckets, origin }, { files, index }) {
  const [locale, name] = id.split('/');
  files.set(`${id}.list.json`, text({ buckets }));
  const items = Object.values(buckets).reduce((sum, values) => sum + values.length, 0);
  index.push({
    id,
    kind: 'list',
    locale,
    name,
    ...provenance(new Set([origin])),
    items,
    buckets: Object.keys(buckets).length,
  });
}

function addComposition({ id, locale, name, steps, output }, kinds, { files, index }, origins) {
  const all = Object.fromEntries(
    Object.entries(steps).map(([step, make]) => [step, make({ locale, kinds })]),
  );
  const needed = neededSteps(all, output);
  const composition = {
    name: `@models/${locale.toLowerCase().replace('_', '-')}:${name}`,
    let: Object.fromEntries(Object.entries(all).filter(([step]) => needed.has(step))),
    ...output,
  };
  files.set(`${id}.composition.json`, text(composition));
  const used = new Set(['own']);
  for (const source of sourcesOf(composition.let)) {
    for (const origin of origins.get(source)) used.add(origin);
  }
  index.push({ id, kind: 'composition', locale, name, ...provenance(used) });
}

/** Steps that the output names, and those that such steps name. */
function neededSteps(steps, output) {
  const needed = new Set();
  const look = (node) => {
    const expressions = JSON.stringify(node).matchAll(/\{\{(.*?)\}\}|"computed":"([^"]*)"/g);
    for (const [, template, computed] of expressions) {
      for (const [word] of (template ?? computed).matchAll(/[a-z]\w*/g)) {
        if (!Object.hasOwn(steps, word) || needed.has(word)) continue;
        needed.add(word);
        look(steps[word]);
      }
    }
  };
  look(output);
  return needed;
}

/** Ids of the models and lists that steps draw from. */
function sourcesOf(steps) {
  return Object.values(steps).flatMap(({ source }) => {
    if (source === undefined) return [];
    return source.includes('{{sex}}')
      ? ['female', 'male'].map((sex) => source.replace('{{sex}}', sex))
      : [source];
  });
}

function text(json) {
  return Buffer.from(`${JSON.stringify(json)}\n`);
}

/** Weights of a blend add up to this, but for rounding. */
const TOTAL = 1_000_000;

/**
 * Puts sources together, each with its share of all weight; a value of two sources has the weight of both.
 * @param parts pairs of `{ origin, values }` and share
 * @returns pairs of value and weight, a whole number from 1, in the order met
 */
export function blend(parts) {
  const shares = parts.reduce((sum, [, share]) => sum + share, 0);
  const weights = new Map();
  for (const [{ values }, share] of parts) {
    const whole = values.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of values) {
      weights.set(value, (weights.get(value) ?? 0) + ((weight / whole) * share) / shares);
    }
  }
  return [...weights].map(([value, weight]) => [value, Math.max(1, Math.round(weight * TOTAL))]);
}
