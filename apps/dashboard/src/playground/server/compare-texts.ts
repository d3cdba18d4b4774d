/** The result of a comparison of the page's records with those of the API. */
export type Comparison =
  | { readonly kind: 'same'; readonly bytes: number }
  | {
      readonly kind: 'different';
      /** The first line that differs. The first line of a text has the number 1. */
      readonly line: number;
      /** Undefined if the text has no such line. */
      readonly page: string | undefined;
      readonly api: string | undefined;
    };

/** Finds the first line in which two texts differ. */
export function compareTexts(page: string, api: string): Comparison {
  if (page === api) return { kind: 'same', bytes: new TextEncoder().encode(page).length };
  const pageLines = page.split('\n');
  const apiLines = api.split('\n');
  let index = 0;
  while (pageLines[index] === apiLines[index]) index += 1;
  return { kind: 'different', line: index + 1, page: pageLines[index], api: apiLines[index] };
}
