import type { ColumnFacts, Detection } from '../detect/detection.js';
import { detectColumn } from '../detect/detect-column.js';
import type { WordLists } from '../values/word-lists.js';
import { jsonPaths, type JsonPath } from './json-paths.js';

export interface JsonPathDetection {
  readonly place: JsonPath;
  readonly detection: Detection;
}

/** Rules of one column. */
const MOST_RULES = 100;

/** What the documents of a json or jsonb column hold of persons, by place. No two places lie in each other. */
export function detectJsonPaths(facts: ColumnFacts, lists: WordLists): readonly JsonPathDetection[] {
  const places = jsonPaths(facts.values);
  const found = places.flatMap((place) => {
    const siblings = places.filter((other) => isBeside(place.path, other.path)).map(({ name }) => name);
    const asColumn = {
      table: `${facts.table} ${facts.column}`,
      column: place.name,
      type: place.type,
      values: place.values,
      siblings,
    };
    const detection = detectColumn(asColumn, lists);
    return detection === undefined ? [] : [{ place, detection }];
  });
  const paths = new Set(found.map(({ place }) => place.path));
  return found
    .filter(({ place }) => !prefixes(place.path).some((path) => paths.has(path)))
    .slice(0, MOST_RULES);
}

function isBeside(path: string, other: string): boolean {
  return path !== other && parentOf(path) === parentOf(other);
}

function parentOf(path: string): string {
  return prefixes(path).at(-1) ?? '';
}

/** What stands around a place, from the top. */
function prefixes(path: string): readonly string[] {
  const steps = path.match(/"(?:[^"\\]|\\.)*"|[^.[\]"]+|\[\*\]/g) ?? [];
  const all: string[] = [];
  let at = '';
  for (const step of steps.slice(0, -1)) {
    at += step === '[*]' || at === '' ? step : `.${step}`;
    all.push(at);
  }
  return all;
}
