import type { JsonSteps } from './column-rule.js';

/** The longest path, in characters. */
export const MAX_JSON_PATH = 500;
const MAX_STEPS = 32;

export const describeJsonPath =
  'separate keys with dots, without $ at the start, put keys with special characters or only digits in double quotes, and write elements as [0] or [*]: contact."e-mail"[*].text';

/** Matches one step: a bare or quoted key, with an optional dot before it, or an index or `*` in brackets. */
const STEP = /(\.?)(?:([^.[\]"\s]+)|("(?:[^"\\]|\\.)*")|\[(?:(\*)|(0|[1-9]\d{0,8}))\])/y;

/**
 * Matches bare keys that are operators of JSONPath, JSON Pointer, PostgreSQL, jq or JavaScript, such as the element `0`
 * and the escaped dot of `a\.b`. As keys they match hardly any document, so that the values stay unmasked.
 */
const FOREIGN = /^[$@#]$|^#?\/|^\d+$|[*'{}()?>\\,|]|::/;

interface ParsedJsonPath {
  readonly steps: JsonSteps;
  /** True if a bare key is an operator of another path language. Jobs of earlier versions can have such a path. */
  readonly isForeign: boolean;
}

/** Parses a path such as `contact.email`, `phones[*].number` or `"odd.key"[0]`. @returns undefined if it is invalid */
export function parseJsonPath(path: string): ParsedJsonPath | undefined {
  if (path === '' || path.length > MAX_JSON_PATH) return undefined;
  const steps: (string | number | null)[] = [];
  let isForeign = false;
  for (STEP.lastIndex = 0; STEP.lastIndex < path.length;) {
    const [found, dot, bare, quoted, each, index] = STEP.exec(path) ?? [];
    const isKey = bare !== undefined || quoted !== undefined;
    if (found === undefined || (dot === '.') !== (isKey && steps.length > 0)) return undefined;
    if (bare !== undefined && FOREIGN.test(bare)) isForeign = true;
    if (bare !== undefined) steps.push(bare);
    else if (each !== undefined) steps.push(null);
    else if (index !== undefined) steps.push(Number(index));
    else {
      const key = unquote(quoted ?? '');
      if (key === undefined) return undefined;
      steps.push(key);
    }
    if (steps.length > MAX_STEPS) return undefined;
  }
  return { steps, isForeign };
}

/**
 * Tests whether two paths can match the same value of a document, or whether one path can match a value
 * inside a value that the other path matches.
 */
export function overlap(a: JsonSteps, b: JsonSteps): boolean {
  return a.slice(0, b.length).every((step, i) => {
    const other = b[i] as string | number | null;
    if (step === null || other === null) return typeof step !== 'string' && typeof other !== 'string';
    return step === other;
  });
}

function unquote(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
