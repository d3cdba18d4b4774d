import { FUNCTIONS } from '../../src/functions/function-table.js';
import fc from 'fast-check';
import { judge, type Outcome } from './judge.js';
import { characterNoise, halfValidProgram, mutatedProgram, tokenNoise, validProgram } from './programs.js';

const SEED = 20_261_121;
const PROTOTYPES = [Object, Array, String, Number, Boolean, BigInt, Function, RegExp, Map, Error].map(
  (constructor): object => constructor.prototype as object,
);

/** Returns every own member of the prototypes and of the global object. */
function members(): Map<string, unknown> {
  return new Map(
    [...PROTOTYPES, globalThis].flatMap((object, i) =>
      Reflect.ownKeys(object).map((key) => {
        const { value, get } = Object.getOwnPropertyDescriptor(object, key) ?? {};
        return [`${i} ${String(key)}`, get ?? (value as unknown)];
      }),
    ),
  );
}

/**
 * Tests that programs give plain data or an error of the language.
 * @param count the number of programs, a multiple of 100
 */
export function programLaws(count: number): void {
  describe('random programs give plain data or an error of the language', () => {
    let tripped = 0;
    const called = new Set<string>();
    const outcomes: Record<Outcome, number> = { refused: 0, failed: 0, value: 0 };
    let before: ReadonlyMap<string, unknown>;

    beforeAll(() => {
      Object.defineProperty(globalThis, 'tripwire', { configurable: true, get: () => (tripped += 1) });
      before = members();
    });
    afterAll(() => Reflect.deleteProperty(globalThis, 'tripwire'));

    test.each<[kind: string, share: number, programs: fc.Arbitrary<string>]>([
      ['from the grammar', 0.4, validProgram],
      ['half valid', 0.2, halfValidProgram],
      ['mutated', 0.2, mutatedProgram],
      ['of tokens in any order', 0.12, tokenNoise],
      ['of any characters', 0.08, characterNoise],
    ])('%s', (kind, share, programs) => {
      fc.assert(
        fc.property(programs, (source) => {
          const outcome = judge(source);
          outcomes[outcome] += 1;
          if (outcome === 'value') for (const [, name = ''] of source.matchAll(/(\w+)\(/g)) called.add(name);
        }),
        { numRuns: share * count, seed: SEED },
      );
    });

    test('they cover most of the grammar', () => {
      expect(outcomes.refused + outcomes.failed + outcomes.value).toBe(count);
      expect(Math.min(outcomes.refused, outcomes.failed, outcomes.value)).toBeGreaterThan(count / 10);
      expect([...FUNCTIONS.keys()].filter((name) => !called.has(name))).toEqual([]);
    });

    test('they neither read nor change anything shared', () => {
      expect(tripped).toBe(0);
      const after = members();
      expect([...after.keys()]).toEqual([...before.keys()]);
      expect([...after.keys()].filter((name) => !Object.is(after.get(name), before.get(name)))).toEqual([]);
    });
  });
}
