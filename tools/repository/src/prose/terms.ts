/**
 * A pattern of textlint-rule-terminology, and the text to write instead. The pattern matches whole words and
 * ignores case.
 */
export type Term = readonly [pattern: string, instead: string];

/**
 * Forbidden phrases and invented words, with the standard term. They are errors in texts, in identifiers and
 * in file names.
 */
export const COINED: readonly Term[] = [
  ['errands?', 'agent task'],
  ['clearances?', 'target cleanup'],
  ['(shut|shuts|shutting) out', 'exclude'],
  ['out of (its |their |the )?sight', 'hidden'],
  ['(stand|stands|stood|standing) (back|aside)', 'back off'],
  ['stands? in for', 'replace'],
  ['patience', 'lock retry policy'],
  ['(give|gives|gave|given|giving) up', 'stop, or roll back'],
  ['(hang|hangs|hung|hanging) on', 'depend on'],
  ['(lean|leans|leaned|leaning) on', 'depend on'],
  ['leaning', 'dependent'],
  ['bare heaps?', 'table without indexes'],
  ['(late|finish) sql', 'post-data SQL'],
  ['(dress|dresses|dressed|dressing)', 'apply settings'],
  ['crews?', 'worker pool'],
  ['misfits?', 'type mismatch'],
  ['whoever', 'any, each or a noun'],
  ['whatever', 'any, each or a noun'],
  ['whichever', 'any, each or a noun'],
  ['anew', 'again'],
  ['meanwhile', 'concurrently'],
  ['besides', 'also'],
  ['heirs?', 'child table'],
  ['twins?', 'replacement table'],
  ['masked apart', 'masked in worker threads'],
  ['unseen columns?', 'null-flag-only column'],
  ['(goes|went|go|gone|going) over', 'is transferred'],
  ['(spread|spreads|spreading) (the )?rules?', 'propagate rules'],
  ['(redraw|redraws|redrew|redrawn)', 'retry'],
  ['(a|the|its|that) wish', 'cancel request'],
  ['(take|takes|took|taken|taking) (a|the|its) target', 'acquire the target'],
  ['alone', 'only'],
  ['(tell|tells|told|telling)', 'report, print, return or log'],
  ['(say|says|said|saying)', 'report, print, return or log'],
  ['(mend|mends|mended|mending)', 'fix'],
];

/**
 * Ordinary words for which there is a standard term. They are errors in the names of types and files, but not
 * in texts.
 */
export const REPLACED: Readonly<Record<string, string>> = {
  answer: 'response',
  answers: 'responses',
  question: 'request',
  questions: 'requests',
  obstacle: 'blocker',
  note: 'recovery record',
  notes: 'recovery records',
  mark: 'marker comment',
  marks: 'marker comments',
  place: 'location, path or storage backend',
  places: 'locations, paths or storage backends',
  turn: 'slot',
  ticket: 'queue entry',
  look: 'check',
  draw: 'generate',
  reading: 'sample',
  readings: 'samples',
  pace: 'throughput',
  finding: 'problem',
  findings: 'problems',
  doubt: 'warning',
  news: 'update or event payload',
  exchange: 'swap',
  presence: 'null flag',
  wording: 'message template',
  sentence: 'message template',
  wish: 'cancel request',
  settle: 'resolve, finalize or configure',
  stem: 'prefix',
  spread: 'propagation',
  apart: 'in worker threads',
};

/** A name that may contain a term of `COINED` or `REPLACED`. */
export interface AllowedName {
  readonly name: string;
  readonly reason: string;
}

/** The exceptions from both lists. An exception that does not occur in the repository is a fault. */
export const ALLOWED_NAMES: readonly AllowedName[] = [
  ...['Draw', 'TextDraw', 'StreamedDraw', 'CountedDraw', 'AnyDraw', 'DrawBudget', 'draw-budget'].map(
    (name) => ({
      name,
      reason: 'a draw from a random source',
    }),
  ),
  ...['sentence-mode', 'sentence-plan', 'SentencePlan'].map((name) => ({
    name,
    reason: 'a sentence of natural language, which the mode `sentence` generates',
  })),
  ...['late_sql', 'finish_sql'].map((name) => ({
    name,
    reason: 'a column of the ledger table that existing target databases have',
  })),
];
