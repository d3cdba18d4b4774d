import { NgramTrainer } from '@understudy/ngram';
import { COMPOSITIONS } from './compositions.mjs';
import { provenance } from './origins.mjs';
import { ROWS } from './rows.mjs';
import { usCitiesByState } from './us-cities-by-state.mjs';

/** An n-gram model of fewer values would only repeat them, so none is built. */
const MIN_NGRAM_VALUES = 300;

/**
 * Builds every file of libs/builtin-models/assets. Returns the bytes of each file by path, and the entries of
 * the index. Also returns the values of each list and the values that each model learned, for the page of
 * samples and for tests.
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
  // A model of sentences contains its training sentences, so it needs no list.
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

/** Reads sources for a locale. Returns pairs of a source's result and its share. */
function read(parts, locale) {
  return parts.map(([source, share]) => [source(locale), share]);
}

/**
 * Returns pairs of value and weight. Without `scale`, the sources are blended; with it, their own weights are
 * multiplied by `scale`.
 */
function weigh(parts, scale) {
  if (scale === undefined) return blend(parts);
  return parts.flatMap(([{ values }]) =>
    values.map(([value, weight]) => [value, Math.round(weight * scale)]),
  );
}

/**
 * Trains a model that contains its training values, because they are public. The mode `real_word` needs them,
 * and they make `exclude_originals` fastest.
 */
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

/** Returns the steps that the output uses, directly or through other steps. */
function neededSteps(steps, output) {
  const needed = new Set();
  const visit = (node) => {
    const expressions = JSON.stringify(node).matchAll(/\{\{(.*?)\}\}|"computed":"([^"]*)"/g);
    for (const [, template, computed] of expressions) {
      for (const [word] of (template ?? computed).matchAll(/[a-z]\w*/g)) {
        if (!Object.hasOwn(steps, word) || needed.has(word)) continue;
        needed.add(word);
        visit(steps[word]);
      }
    }
  };
  visit(output);
  return needed;
}

/** Returns the ids of the models and lists that the steps use. */
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

/** The sum of the weights of a blend, except for rounding. */
const TOTAL = 1_000_000;

/**
 * Combines sources, each with its share of the total weight. If several sources have the same value, its
 * weights are added.
 * @param parts pairs of `{ origin, values }` and share
 * @returns pairs of value and weight (a whole number from 1), in order of first occurrence
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
