/** A path inside documents, with the values that were found there. */
export interface JsonPath {
  /** The path in the syntax of column rules, such as `contact.email` or `phones[*].number`. */
  readonly path: string;
  /** The last two keys of the path, separated by a space. Detection treats this text as a column's name. */
  readonly name: string;
  readonly type: 'text' | 'numeric';
  readonly values: readonly string[];
}

const MOST_PATHS = 500;
const MOST_DEPTH = 16;
const MOST_ELEMENTS = 50;
const MOST_VALUES = 200;

/**
 * Returns the paths of texts and numbers in documents. Skips documents that are not valid JSON and values that are
 * nested deeper than 16 levels.
 */
export function jsonPaths(documents: readonly string[]): readonly JsonPath[] {
  const found = new Map<string, { keys: readonly string[]; texts: string[]; numbers: string[] }>();
  const visit = (value: unknown, path: string, keys: readonly string[], depth: number): void => {
    if (value === null || typeof value === 'boolean' || depth > MOST_DEPTH) return;
    if (Array.isArray(value)) {
      for (const element of value.slice(0, MOST_ELEMENTS)) visit(element, `${path}[*]`, keys, depth + 1);
    } else if (typeof value === 'object') {
      for (const [key, member] of Object.entries(value))
        visit(member, `${path}${path === '' ? '' : '.'}${written(key)}`, [...keys, key], depth + 1);
    } else if (path !== '' && path.length <= 500) {
      const location = found.get(path) ?? { keys, texts: [], numbers: [] };
      if (!found.has(path) && found.size >= MOST_PATHS) return;
      found.set(path, location);
      const into = typeof value === 'number' ? location.numbers : location.texts;
      if (into.length < MOST_VALUES) into.push(String(value));
    }
  };
  for (const document of documents) visit(parsed(document), '', [], 0);
  return [...found].map(([path, { keys, texts, numbers }]) => ({
    path,
    name: keys.slice(-2).join(' '),
    ...(texts.length >= numbers.length
      ? { type: 'text' as const, values: texts }
      : { type: 'numeric' as const, values: numbers }),
  }));
}

function parsed(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return null;
  }
}

function written(key: string): string {
  return /^[^.[\]"\s]+$/.test(key) ? key : JSON.stringify(key);
}
