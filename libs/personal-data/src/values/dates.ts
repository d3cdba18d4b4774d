const FORMS = [
  /^(\d{4})-(\d\d)-(\d\d)(?:[ T].*)?$/,
  /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/,
  /^(\d{4})(\d\d)(\d\d)$/,
  /^(\d{4})$/,
  /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/,
];

/** Returns the year of a date in a common format; undefined for other texts. */
export function yearOf(text: string): number | undefined {
  for (const form of FORMS) {
    const parts = form.exec(text);
    const year = parts?.slice(1).find((part) => part?.length === 4);
    if (year !== undefined) return Number(year);
  }
  return undefined;
}

/**
 * Tests for a possible date of birth. A year must be from 1900 to 2035. Also accepts a number from 1 to 31,
 * for columns with only a month or a day.
 */
export function couldBeBirth(text: string): boolean {
  const year = yearOf(text);
  return year === undefined ? /^(?:0?[1-9]|[12]\d|3[01])$/.test(text) : year >= 1900 && year <= 2035;
}
