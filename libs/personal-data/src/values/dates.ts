const FORMS = [
  /^(\d{4})-(\d\d)-(\d\d)(?:[ T].*)?$/,
  /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/,
  /^(\d{4})(\d\d)(\d\d)$/,
  /^(\d{4})$/,
  /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/,
];

/** The year of a date in one of the usual forms. */
export function yearOf(text: string): number | undefined {
  for (const form of FORMS) {
    const parts = form.exec(text);
    const year = parts?.slice(1).find((part) => part?.length === 4);
    if (year !== undefined) return Number(year);
  }
  return undefined;
}

/** A date on which somebody alive may be born; a number of a month or a day passes too. */
export function couldBeBirth(text: string): boolean {
  const year = yearOf(text);
  return year === undefined ? /^(?:0?[1-9]|[12]\d|3[01])$/.test(text) : year >= 1900 && year <= 2035;
}
