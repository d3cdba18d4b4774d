import { ByteSink } from '@understudy/bytes';
import { deriveKey, rootKey } from '@understudy/random';
import fc from 'fast-check';
import {
  compileDefinition,
  compileTemplate,
  type DefinitionPlan,
  GenerationError,
  type SlotTexts,
} from '../../src/index.js';
import { OPTIONS } from '../test-model.js';

const KEY = deriveKey(rootKey('writers', 1), 'column');
const NAMES = ['first', 'last'];
const AT = { ...OPTIONS, path: 'p', bindings: NAMES };

/** Returns written bindings: the UTF-8 of each value, and no bytes for NULL. */
function written(bindings: readonly (string | null)[]): SlotTexts {
  const sink = new ByteSink();
  const bounds = bindings.map((text) => {
    const start = sink.length;
    const bytes = Buffer.from(text ?? '');
    sink.write(bytes, 0, bytes.length);
    return [start, sink.length] as const;
  });
  return {
    sinks: bindings.map(() => sink),
    starts: Int32Array.from(bounds, ([start]) => start),
    ends: Int32Array.from(bounds, ([, end]) => end),
  };
}

/** @returns the text that the plan's writer appended; undefined if the writer returned false */
function write(plan: DefinitionPlan, row: number, bindings: readonly (string | null)[]): string | undefined {
  const out = new ByteSink(1);
  out.writeAscii('|');
  const isWritten = plan.write?.(KEY, 0, row, 0, written(bindings), out) === true;
  return isWritten ? Buffer.from(out.take()).toString().slice(1) : undefined;
}

const literal = fc.constantFrom('', ' ', '.', '@example.test', 'é', '😀', '\\{{', "'");
const name = fc.constantFrom('first', 'last');
const place = fc.integer({ min: 0, max: 9 });
const argument = fc.oneof(name, fc.constant('uuid'), fc.constant("'Mixed é'"), fc.constant("'Plain'"));
const expression = fc.oneof(
  argument,
  fc
    .tuple(fc.constantFrom('lowercase', 'uppercase', 'title', 'length'), argument)
    .map(([f, a]) => `${f}(${a})`),
  fc.tuple(argument, place, place).map(([a, from, to]) => `substring(${a}, ${from}, ${to})`),
  fc.tuple(argument, place).map(([a, from]) => `substring(${a}, ${from})`),
  fc.constantFrom('12', 'true', 'null', '1.50', 'lowercase(uppercase(first))', "first == ''"),
);
const pattern = fc
  .array(fc.tuple(literal, expression), { maxLength: 4 })
  .map((parts) => parts.map(([before, inner]) => `${before}{{${inner}}}`).join(''));
const well = fc.string({ unit: 'grapheme', maxLength: 8 });
const binding = fc.oneof(
  well,
  fc.string({ maxLength: 12 }),
  fc.constant(null),
  fc.constant('A\0b'),
  fc.constant('x'.repeat(5000)),
);

describe('a writer', () => {
  it('appends the text of the value, or returns false', () => {
    let count = 0;
    fc.assert(
      fc.property(pattern, binding, binding, fc.nat(), (source, first, last, row) => {
        const plan = compileTemplate(source, AT);
        const text = write(plan, row, [first, last]);
        if (text === undefined) return;
        count += 1;
        expect(text).toBe(plan.value(KEY, 0, row, 0, [first, last]));
      }),
      { numRuns: 1000 },
    );
    expect(count).toBeGreaterThan(300);
  });

  it.each([
    '{{lowercase(first)}}.{{uppercase(last)}}@example.test',
    '+1 555 {{substring(uuid, 0, 8)}}',
    '{{uuid()}}',
    '{{first}} {{last}}',
    'constant',
  ])('exists for %j', (source) => {
    const plan = compileTemplate(source, AT);
    expect(write(plan, 7, ['Ada', 'Byron'])).toBe(plan.value(KEY, 0, 7, 0, ['Ada', 'Byron']));
  });

  it('returns false for upper and lower case of other alphabets', () => {
    const plan = compileTemplate('{{lowercase(first)}}', AT);
    expect(write(plan, 1, ['İSTANBUL', null])).toBeUndefined();
    expect(write(plan, 1, ['ISTANBUL', null])).toBe('istanbul');
  });

  it('returns false for texts beyond a limit, for which value() reports the error', () => {
    const plan = compileTemplate('{{first}}'.repeat(16) + 'x'.repeat(1000), AT);
    const long = 'y'.repeat(4096);
    expect(write(plan, 1, [long, null])).toBeUndefined();
    expect(() => plan.value(KEY, 0, 1, 0, [long, null])).toThrow(GenerationError);
  });

  it('does not exist for names that are not bindings, and for modifiers', () => {
    const composed = { let: { a: { type: 'list', values: ['x'] } }, body: '{{a}}' };
    expect(compileDefinition(composed, AT).write).toBeUndefined();
    const param = { params: { a: { default: 'x' } }, body: '{{a}}' };
    expect(compileDefinition(param, AT).write).toBeUndefined();
    const modifiers = { nullable: 0.5 };
    expect(compileTemplate('{{first}}', { ...AT, modifiers }).write).toBeUndefined();
  });

  it('draws the words of a model', () => {
    const plan = compileDefinition({ type: 'model', source: 'en_US/bare' }, AT);
    for (let row = 0; row < 200; row += 1) expect(write(plan, row, [])).toBe(plan.value(KEY, 0, row, 0, []));
  });
});
