/**
 * How new values are compared if an index ignores differences between texts. Values that are equal for the
 * index have the same folded text. A fold may also treat different values as equal, which only costs another
 * try.
 *
 * - `lowered`: case, as the function `lower` of any server does (citext, `lower(column)`)
 * - `composed`: how a character is composed, and invisible characters (every nondeterministic collation)
 * - `caseless`: also case, width and other variants of a character (ICU strength 2)
 * - `letters`: also accents, punctuation and leading zeros (ICU strength 1, and options of any other kind)
 */
export type Fold = 'lowered' | 'composed' | 'caseless' | 'letters';

export function foldText(text: string, fold: Fold): string {
  switch (fold) {
    case 'lowered':
      return lowered(text);
    case 'composed':
      return visible(text).normalize('NFC');
    case 'caseless':
      return caseless(text);
    case 'letters':
      return baseLetters(text);
  }
}

/**
 * Returns the fold for the ICU locale of a nondeterministic collation, such as `und-u-ks-level2`. The options
 * are those of Unicode TS 35: `ks` is the strength, `ka` makes punctuation ignorable, `kn` compares numbers.
 */
export function foldOfLocale(locale: string): Fold {
  const options = /-u-(.*)$/.exec(locale)?.[1];
  if (options === undefined) return locale === '' || locale.includes('@') ? 'letters' : 'composed';
  if (/(^|-)(ka|kn|kc|kb|kr|kv)(-|$)/.test(options)) return 'letters';
  const strength = /(^|-)ks-(\w+)/.exec(options)?.[2];
  if (strength === 'level2') return 'caseless';
  return strength === undefined || ['level3', 'level4', 'identic'].includes(strength)
    ? 'composed'
    : 'letters';
}

/** JavaScript writes a final sigma at the end of a word. PostgreSQL's `lower` may write either form. */
function lowered(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

function visible(text: string): string {
  return text.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?![\t\n\v\f\r])\p{Cc}/gu, '');
}

function caseless(text: string): string {
  const hiragana = visible(text)
    .normalize('NFKD')
    .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
  return lowered(hiragana.toUpperCase()).normalize('NFKC');
}

function baseLetters(text: string): string {
  return caseless(text)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[øđðħłŧıæœ]/g, (letter) => BASE_LETTERS[letter] ?? letter)
    .replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
    .replace(/(?<!\d)0+(?=\d)/g, '');
}

const BASE_LETTERS: Readonly<Record<string, string>> = {
  ...{ ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ł: 'l', ŧ: 't', ı: 'i', æ: 'ae', œ: 'oe' },
};

/** Returns the value of a decimal digit of any script. Each script has its ten digits in one run. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}
