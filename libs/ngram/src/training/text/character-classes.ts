// Classifies UTF-16 units without the engine's Unicode tables, so that prose is split into words in the same
// way in every engine.

/** Unicode's White_Space, and the control characters. */
export function isWhiteSpace(unit: number): boolean {
  if (unit <= 0x20) return true;
  if (unit < 0x85) return unit === 0x7f;
  return (
    unit === 0x85 ||
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}

/**
 * Returns true for letters, digits, marks and halves of code points beyond U+FFFF; false for punctuation,
 * symbols and spaces.
 */
export function isWordUnit(unit: number): boolean {
  if (unit < 0x80) return isAsciiWordUnit(unit);
  if (unit < 0xc0) return unit === 0xaa || unit === 0xb5 || unit === 0xba;
  if (unit < 0x2000) return unit !== 0xd7 && unit !== 0xf7 && unit !== 0x1680;
  if (unit < 0x2c00) return false; // punctuation, currency, arrows, mathematics, boxes
  if (unit < 0x3005) return !(unit >= 0x2e00 && unit <= 0x2e7f) && unit < 0x3000;
  if (unit < 0x3021) return unit < 0x3008; // brackets of CJK
  if (unit < 0xfe10) return true;
  if (unit < 0xff10) return unit >= 0xfe70 && unit < 0xff00 && unit !== 0xfeff;
  return !(
    (unit >= 0xff1a && unit <= 0xff20) ||
    (unit >= 0xff3b && unit <= 0xff40) ||
    (unit >= 0xff5b && unit <= 0xff65)
  );
}

function isAsciiWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);
}
