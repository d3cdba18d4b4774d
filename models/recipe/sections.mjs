import { readFileSync } from 'node:fs';

const files = new Map();

/**
 * Returns one section of a data file. A data file contains comment lines (`# comment`) and sections. A
 * section is a line `[section]` and the entries after it, `value` or `value=weight`, separated by commas.
 * @returns pairs of value and weight (undefined if the entry has none), in the file's order
 */
export function readSection(file, section) {
  if (!files.has(file)) files.set(file, parse(readFileSync(file, 'utf8')));
  const entries = files.get(file).get(section);
  if (entries === undefined) throw new Error(`${file} has no section [${section}]`);
  return entries;
}

function parse(text) {
  const sections = new Map();
  let name;
  for (const line of text.split('\n')) {
    const heading = /^\[(\w+)\]$/.exec(line);
    if (heading !== null) {
      [, name] = heading;
      sections.set(name, []);
    } else if (line !== '' && !line.startsWith('#')) {
      sections.get(name).push(...line.replace(/,$/, '').split(', ').map(entry));
    }
  }
  for (const [section, entries] of sections) {
    const values = entries.map(([value]) => value);
    const repeated = values.find((value, i) => values.indexOf(value) !== i);
    if (repeated !== undefined) throw new Error(`${section}: ${repeated} occurs twice`);
  }
  return sections;
}

function entry(text) {
  const [value, weight] = text.split('=');
  return [value.normalize('NFC'), weight === undefined ? undefined : Number(weight)];
}

/** Converts pairs of value and weight into elements of a list: plain values if all weights are the same. */
export function elements(entries) {
  const [[, first] = []] = entries;
  if (entries.every(([, weight]) => weight === first)) return entries.map(([value]) => value);
  return entries.map(([value, weight = 1]) => ({ value, weight }));
}
