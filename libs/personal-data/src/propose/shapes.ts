import { composed, digits, letterList, type RuleDefinition } from './rule-definitions.js';

/** The largest number of characters in a shape. */
const LONGEST = 32;
/** The largest number of shapes in a rule. */
const MAX_SHAPES = 6;
/** A shape is used only if at least this share of the values has it. */
const LEAST_SHARE = 0.05;
const MAX_DIGITS = 18;

export interface Shape {
  /**
   * A value with 9 for each digit and A for each letter. Characters other than space and `./()+-` become `-`.
   */
  readonly text: string;
  readonly share: number;
}

/** Returns the shapes of the values, most frequent first. */
export function shapesOf(values: readonly string[]): readonly Shape[] {
  const counts = new Map<string, number>();
  for (const value of values) {
    const text = [...value.trim()]
      .map((sign) =>
        /\p{Nd}/u.test(sign) ? '9' : /\p{L}/u.test(sign) ? 'A' : /[ ./()+-]/.test(sign) ? sign : '-',
      )
      .join('');
    if (text !== '' && text.length <= LONGEST) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, count]) => ({ text, share: count / values.length }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_SHAPES);
}

/** Returns a rule that generates texts with these shapes, in proportion to their shares. @param shapes at least one */
export function ruleOfShapes(shapes: readonly Shape[]): RuleDefinition {
  const most = (sign: string): number => Math.max(...shapes.map(({ text }) => text.split(sign).length - 1));
  const [digitCount, letterCount] = [Math.min(most('9'), MAX_DIGITS), most('A')];
  const steps = {
    ...(digitCount === 0 ? {} : { d: digits(digitCount) }),
    ...(letterCount === 0 ? {} : { l: letterList(letterCount) }),
  };
  const [only] = shapes;
  if (shapes.length === 1 && only !== undefined) return composed(steps, patternOf(only.text));
  const variants = shapes.map(({ text, share }) => ({
    pattern: patternOf(text),
    weight: Math.round(share * 100),
  }));
  return { generator: { let: steps, variants } };
}

/** Returns a lower bound of variety: each of the shapes permits at least this many different texts. */
export function varietyOf(shapes: readonly Shape[]): number {
  const least = shapes.map(
    ({ text }) => 10 ** Math.min(MAX_DIGITS, text.split('9').length - 1) * 20 ** (text.split('A').length - 1),
  );
  return Math.min(...least);
}

function patternOf(shape: string): string {
  let digitAt = 0;
  let letterAt = 0;
  return shape.replace(/9+|A/g, (run) => {
    if (run === 'A') return `{{l[${letterAt++}]}}`;
    // If the digits are used up, starts again with the first digit.
    const from = digitAt + run.length > MAX_DIGITS ? 0 : digitAt;
    digitAt = from + run.length;
    return `{{substring(d, ${from}, ${Math.min(MAX_DIGITS, digitAt)})}}`;
  });
}
