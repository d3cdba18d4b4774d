import { math, RandomStream, rootKey } from '../index.js';

const view = new DataView(new ArrayBuffer(8));

/** Returns the number of doubles between two numbers. */
function ulps(a: number, b: number): number {
  if (Object.is(a, b) || a === b) return 0;
  const place = (x: number): bigint => {
    view.setFloat64(0, x);
    const bits = view.getBigInt64(0);
    return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
  };
  const distance = Number(place(a) - place(b));
  return Number.isNaN(a) || Number.isNaN(b) ? Infinity : Math.abs(distance);
}

const random = new RandomStream();
const between = (low: number, high: number): number => low + (high - low) * random.float53();

describe.each<[string, (...args: number[]) => number, (...args: number[]) => number, () => number[]]>([
  ['log near 1', math.log, Math.log, () => [between(0, 3)]],
  ['log', math.log, Math.log, () => [Math.exp(between(-744, 709))]],
  ['log1p near 0', math.log1p, Math.log1p, () => [between(-1, 1) * 10 ** between(-20, 0)]],
  ['log1p', math.log1p, Math.log1p, () => [10 ** between(0, 300)]],
  ['exp near 0', math.exp, Math.exp, () => [between(-1, 1)]],
  ['exp', math.exp, Math.exp, () => [between(-746, 709.7)]],
  ['sin', math.sin, Math.sin, () => [between(-1e6, 1e6)]],
  ['cos', math.cos, Math.cos, () => [between(-1e6, 1e6)]],
  ['pow', math.pow, Math.pow, () => [between(0, 10), between(-50, 50)]],
  ['pow of large numbers', math.pow, Math.pow, () => [Math.exp(between(-300, 300)), between(-3, 3)]],
  ['pow of whole exponents', math.pow, Math.pow, () => [between(-20, 20), Math.floor(between(-20, 20))]],
])('%s', (_, own, engine, arguments_) => {
  it("is within 2 ulp of the JavaScript engine's result", () => {
    random.seek(rootKey('math', 7), 1);
    let worst = 0;
    for (let i = 0; i < 20_000; i += 1) {
      const args = arguments_();
      worst = Math.max(worst, ulps(own(...args), engine(...args)));
    }
    expect(worst).toBeLessThanOrEqual(2);
  });
});

describe('special values', () => {
  const NUMBERS = [0, -0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1e-320, 1e300, Infinity, -Infinity, NaN];

  it.each(['log', 'log1p', 'exp'] as const)(
    '%s returns what the JavaScript engine returns for special values',
    (name) => {
      for (const x of NUMBERS) expect(ulps(math[name](x), Math[name](x))).toBeLessThanOrEqual(2);
    },
  );

  it('pow returns what the JavaScript engine returns for special values', () => {
    for (const x of NUMBERS) {
      for (const y of NUMBERS) {
        expect({ x, y, pow: ulps(math.pow(x, y), Math.pow(x, y)) <= 2 }).toEqual({ x, y, pow: true });
      }
    }
  });

  it('pow gives exact powers of ten', () => {
    for (let n = 0; n <= 22; n += 1) expect(math.pow(10, n)).toBe(Number(`1e${n}`));
  });

  it('sin and cos refuse angles that are too large', () => {
    expect(() => math.sin(1e7)).toThrow(RangeError);
    expect(math.cos(NaN)).toBeNaN();
  });
});

describe('the same bits everywhere', () => {
  it('gives the pinned bits', () => {
    const bits = [
      math.log(3),
      math.exp(2.5),
      math.sin(1),
      math.cos(1),
      math.pow(1.7, 4.3),
      math.log1p(0.1),
    ].map((x) => {
      view.setFloat64(0, x);
      return view.getBigUint64(0).toString(16);
    });
    expect(bits).toMatchInlineSnapshot(`
     [
       "3ff193ea7aad030a",
       "40285d6fd931e0bb",
       "3feaed548f090cee",
       "3fe14a280fb5068c",
       "4023962f451e2e3b",
       "3fb8663f793c46c7",
     ]
    `);
  });
});
