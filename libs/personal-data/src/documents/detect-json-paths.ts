import type { ColumnFacts, Detection } from '../detect/detection.js';
import { detectColumn } from '../detect/detect-column.js';
import type { WordLists } from '../values/word-lists.js';
import type { JsonPath } from './json-paths.js';

export interface JsonPathDetection {
  readonly location: JsonPath;
  readonly detection: Detection;
}

/**
 * Detects personal data at the paths of a column's documents. If a path with personal data is inside another one,
 * returns only the outer path.
 */
export function detectJsonPaths(
  { table, column }: Pick<ColumnFacts, 'table' | 'column'>,
  locations: readonly JsonPath[],
  lists: WordLists,
): readonly JsonPathDetection[] {
  const parents = locations.map(({ path }) => parentOf(path));
  const found = locations.flatMap((location, at) => {
    const siblings = locations
      .filter((other, i) => other !== location && parents[i] === parents[at])
      .map(({ name }) => name);
    const asColumn = {
      table: `${table} ${column}`,
      column: location.name,
      type: location.type,
      values: location.values,
      siblings,
    };
    const detection = detectColumn(asColumn, lists);
    return detection === undefined ? [] : [{ location, detection }];
  });
  const paths = new Set(found.map(({ location }) => location.path));
  return found.filter(({ location }) => !prefixes(location.path).some((path) => paths.has(path)));
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
