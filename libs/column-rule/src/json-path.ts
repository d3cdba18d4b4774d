import type { JsonSteps } from './column-rule.js';

/** In characters. */
export const MAX_JSON_PATH = 500;
const MAX_STEPS = 32;

export const describeJsonPath =
  'write keys with dots, odd ones in double quotes as in JSON, elements as [0] or [*]: contact."e-mail"[*].text';

/** A key (bare or quoted, after a dot unless it is the first step) or an element. */
const STEP = /(\.?)(?:([^.[\]"\s]+)|("(?:[^"\\]|\\.)*")|\[(?:(\*)|(0|[1-9]\d{0,8}))\])/y;

/** Reads `contact.email`, `phones[*].number`, `"odd.key"[0]`. @returns undefined when it is no path */
export function parseJsonPath(path: string): JsonSteps | undefined {
  if (path === '' || path.length > MAX_JSON_PATH) return undefined;
  const steps: (string | number | null)[] = [];
  for (STEP.lastIndex = 0; STEP.lastIndex < path.length;) {
    const [found, dot, bare, quoted, each, index] = STEP.exec(path) ?? [];
    const isKey = bare !== undefined || quoted !== undefined;
    if (found === undefined || (dot === '.') !== (isKey && steps.length > 0)) return undefined;
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
  return steps;
}

/** Can both name one place of one document, or one a place inside the other's? */
export function meet(a: JsonSteps, b: JsonSteps): boolean {
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
