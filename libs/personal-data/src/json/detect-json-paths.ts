import type { ColumnFacts, Detection } from '../detect/detection.js';
import { detectColumn } from '../detect/detect-column.js';
import type { WordLists } from '../values/word-lists.js';
import { jsonPaths, type JsonPath } from './json-paths.js';

export interface JsonPathDetection {
  readonly location: JsonPath;
  readonly detection: Detection;
}

/** The largest number of rules for one column. */
const MOST_RULES = 100;

/**
 * Detects personal data in the documents of a json or jsonb column and returns it by path. If a path with personal data
 * is inside another one, returns only the outer path.
 */
export function detectJsonPaths(facts: ColumnFacts, lists: WordLists): readonly JsonPathDetection[] {
  const locations = jsonPaths(facts.values);
  const found = locations.flatMap((location) => {
    const siblings = locations
      .filter((other) => isSibling(location.path, other.path))
      .map(({ name }) => name);
    const asColumn = {
      table: `${facts.table} ${facts.column}`,
      column: location.name,
      type: location.type,
      values: location.values,
      siblings,
    };
    const detection = detectColumn(asColumn, lists);
    return detection === undefined ? [] : [{ location, detection }];
  });
  const paths = new Set(found.map(({ location }) => location.path));
  return found
    .filter(({ location }) => !prefixes(location.path).some((path) => paths.has(path)))
    .slice(0, MOST_RULES);
}

function isSibling(path: string, other: string): boolean {
  return path !== other && parentOf(path) === parentOf(other);
}

function parentOf(path: string): string {
  return prefixes(path).at(-1) ?? '';
}

/** Returns the paths of all parents of a path, the outermost first. */
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
