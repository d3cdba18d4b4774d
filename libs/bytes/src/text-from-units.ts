// The global is read only once. In a test runner that intercepts globals, a lookup costs more than the work
// itself.
const from = String.fromCharCode;
const { min } = Math;

/**
 * Returns `units[0, length)` as a text. Creates a text of at most ten units with one call of
 * `String.fromCharCode`.
 */
export function textFromUnits(units: Uint16Array, length: number): string {
  let text = tenUnits(units, 0, min(length, 10));
  for (let start = 10; start < length; start += 10) text += tenUnits(units, start, min(length - start, 10));
  return text;
}

// A call with a fixed number of arguments is four times as fast as `apply` on a view (measured on Node 20).
function tenUnits(units: Uint16Array, start: number, length: number): string {
  const at = (i: number) => units[start + i] as number;
  switch (length) {
    case 0:
      return '';
    case 1:
      return from(at(0));
    case 2:
      return from(at(0), at(1));
    case 3:
      return from(at(0), at(1), at(2));
    case 4:
      return from(at(0), at(1), at(2), at(3));
    case 5:
      return from(at(0), at(1), at(2), at(3), at(4));
    case 6:
      return from(at(0), at(1), at(2), at(3), at(4), at(5));
    case 7:
      return from(at(0), at(1), at(2), at(3), at(4), at(5), at(6));
    case 8:
      return from(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
    case 9:
      return from(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8));
    default:
      return from(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9));
  }
}
