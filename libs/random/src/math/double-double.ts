/**
 * An unevaluated sum hi + lo of about 106 bits; |lo| is at most half an ulp of hi. (Dekker 1971; Knuth, TAOCP
 * 2, 4.2.2)
 */
export type DoubleDouble = Readonly<{ hi: number; lo: number }>;

/** Returns a + b exactly. */
export function twoSum(a: number, b: number): DoubleDouble {
  const hi = a + b;
  const bb = hi - a;
  return { hi, lo: a - (hi - bb) + (b - bb) };
}

/** Returns a × b exactly, if nothing overflows or underflows. */
export function twoProduct(a: number, b: number): DoubleDouble {
  const hi = a * b;
  const [ah, al] = split(a);
  const [bh, bl] = split(b);
  return { hi, lo: al * bl - (hi - ah * bh - al * bh - ah * bl) };
}

export function add(x: DoubleDouble, y: DoubleDouble): DoubleDouble {
  const s = twoSum(x.hi, y.hi);
  return twoSum(s.hi, s.lo + x.lo + y.lo);
}

export function multiply(x: DoubleDouble, y: DoubleDouble): DoubleDouble {
  const p = twoProduct(x.hi, y.hi);
  return twoSum(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
}

export function divide(x: DoubleDouble, y: DoubleDouble): DoubleDouble {
  const first = x.hi / y.hi;
  const back = multiply({ hi: first, lo: 0 }, y);
  const rest = add(x, { hi: -back.hi, lo: -back.lo });
  return twoSum(first, (rest.hi + rest.lo) / y.hi);
}

function split(a: number): [number, number] {
  const c = 134217729 * a; // 2^27 + 1
  const high = c - (c - a);
  return [high, a - high];
}
