import type { ColumnFacts, Detection, Undecided } from '../detect/detection.js';
import { detectColumn } from '../detect/detect-column.js';
import { detectUndecided } from '../detect/detect-undecided.js';
import type { WordLists } from '../values/word-lists.js';
import type { JsonPath } from './json-paths.js';

export interface JsonPathDetection {
  readonly location: JsonPath;
  readonly detection: Detection;
}

/** The paths of a column's documents at which personal data was detected. */
export interface PersonalPaths {
  /** The paths that look personal. If such a path is inside another one, only the outer path. */
  readonly personal: readonly JsonPathDetection[];
  /** The other paths about which a person has to decide. */
  readonly undecided: readonly { readonly path: string; readonly reason: Undecided }[];
}

/** Detects personal data at the paths of a column's documents. */
export function detectJsonPaths(
  { table, column }: Pick<ColumnFacts, 'table' | 'column'>,
  locations: readonly JsonPath[],
  lists: WordLists,
): PersonalPaths {
  const parents = locations.map(({ path }) => parentOf(path));
  const factsOf = (location: JsonPath, at: number): ColumnFacts => ({
    table: `${table} ${column}`,
    column: location.name,
    type: location.type,
    values: location.values,
    ...(location.type === 'text' ? { mentions: location.mentions } : {}),
    siblings: locations
      .filter((other, i) => other !== location && parents[i] === parents[at])
      .map(({ name }) => name),
  });
  const found = locations.flatMap((location, at) => {
    const detection = detectColumn(factsOf(location, at), lists);
    return detection === undefined ? [] : [{ location, detection }];
  });
  const paths = new Set(found.map(({ location }) => location.path));
  const isCovered = ({ path }: JsonPath): boolean => prefixes(path).some((outer) => paths.has(outer));
  const undecided = locations.flatMap((location, at) => {
    const { path, mentions } = location;
    if (paths.has(path) || isCovered(location)) return [];
    // A path with more numbers than texts can have a few texts.
    const reason = detectUndecided({ ...factsOf(location, at), mentions }, lists);
    return reason === undefined ? [] : [{ path, reason }];
  });
  return { personal: found.filter(({ location }) => !isCovered(location)), undecided };
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
