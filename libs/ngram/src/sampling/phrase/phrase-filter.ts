/** Conditions that a drawn phrase must meet. */
export interface PhraseFilter {
  readonly minLength: number;
  readonly maxLength: number;
  readonly minWords: number;
  readonly maxWords: number;
  readonly contains: string;
  readonly endsWith: string;
}

export const NO_FILTER: PhraseFilter = {
  minLength: 0,
  maxLength: Infinity,
  minWords: 0,
  maxWords: Infinity,
  contains: '',
  endsWith: '',
};

/** @param length in code points */
export function passes(filter: PhraseFilter, text: string, length: number, words: number): boolean {
  return (
    words >= filter.minWords &&
    words <= filter.maxWords &&
    length >= filter.minLength &&
    length <= filter.maxLength &&
    text.endsWith(filter.endsWith) &&
    text.includes(filter.contains)
  );
}
