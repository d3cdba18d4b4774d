import { FUNCTIONS } from '../../src/functions/function-table.js';
import fc from 'fast-check';

/** The names that programs may use. See `values.ts`. */
export const NAMES = [
  'text',
  'long',
  'odd',
  'date',
  'n',
  'big',
  'yes',
  'none',
  'list',
  'deep',
  'user',
  'first-name',
  'größe',
];

/** Texts that an attacker could write in place of a name, a member or a key. */
const HOSTILE = [
  ...[
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
    'length',
  ],
  ...[
    'this',
    'globalThis',
    'process',
    'require',
    'Function',
    'eval',
    'import',
    'new',
    'map',
    'call',
    'at',
    'tripwire',
  ],
];
const LITERALS = [
  ...[
    '0',
    '1',
    '2.5',
    '-1',
    '1e3',
    '1e999',
    '0.1',
    '64',
    '65536',
    'true',
    'false',
    'null',
    "''",
    "','",
    "'a'",
    '"x"',
  ],
  ...[
    "'constructor'",
    "'__proto__'",
    "'length'",
    "'0'",
    "'day'",
    "'months'",
    "'YYYY-MM-DD'",
    "'number'",
    "'currency'",
  ],
  ...[
    "'percent'",
    "'2024-02-29'",
    "'2024-02-29T12:34:56Z'",
    "'\\n\\''",
    "'😀'",
    "'\ud800'",
    "'\0'",
    '[]',
    '[1, 2, 3]',
  ],
];
const BINARY = ['+', '-', '*', '/', '%', '==', '!=', '===', '!==', '<', '<=', '>', '>=', '&&', '||'];
const TOKENS = [
  ...NAMES,
  ...HOSTILE,
  ...LITERALS,
  ...BINARY,
  ...FUNCTIONS.keys(),
  ...[
    '(',
    ')',
    '[',
    ']',
    ',',
    '.',
    '?',
    ':',
    '!',
    '`',
    "'",
    '"',
    '\\',
    '{{',
    '}}',
    '{',
    '}',
    '=',
    '=>',
    ';',
    '${',
    '//',
    '/*',
    '@',
    '#',
    ' ',
  ],
];

/** Every function, with each number of arguments that it accepts, up to four. */
const CALLS = [...FUNCTIONS].flatMap(([name, { min, max }]) =>
  Array.from({ length: Math.min(max, 4) - min + 1 }, (_, i) => ({ name, arity: min + i })),
);
const call = fc.constantFrom(...CALLS);
const name = fc.constantFrom(...NAMES.map((written) => (written.includes('-') ? `\`${written}\`` : written)));
const member = fc.constantFrom(
  'name',
  'tags',
  '__proto__',
  'polluted',
  'constructor',
  'missing',
  'first-name',
);

/**
 * Programs that the grammar allows. They call only functions that exist and read only `NAMES`. Almost all of
 * them compile.
 */
export const validProgram = fc.letrec<{ program: string; arguments: string[] }>((tie) => ({
  program: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'program' },
    { weight: 3, arbitrary: name },
    { weight: 3, arbitrary: fc.constantFrom(...LITERALS.filter((literal) => literal !== '1e999')) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(call, tie('arguments'))
        .map(([{ name: called, arity }, values]) => `${called}(${values.slice(0, arity).join(', ')})`),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(tie('program'), fc.constantFrom(...BINARY), tie('program'))
        .map(([left, operator, right]) => `(${left}) ${operator} ${right}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('-', '!'), tie('program'))
        .map(([sign, value]) => `${sign}(${value})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('program'), tie('program'), tie('program'))
        .map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
    },
    { weight: 2, arbitrary: tie('arguments').map((values) => `[${values.join(', ')}]`) },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('program'), tie('program')).map(([object, key]) => `(${object})[${key}]`),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('program'), member).map(([object, key]) => `(${object}).\`${key}\``),
    },
  ),
  arguments: fc.array(tie('program'), { minLength: 4, maxLength: 4, depthIdentifier: 'program' }),
})).program;

/**
 * Valid programs in which some words are replaced by hostile, unknown or misplaced ones. Some of them
 * compile.
 */
export const halfValidProgram = fc
  .tuple(
    validProgram,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...HOSTILE, ...LITERALS, ...NAMES, '', '1, 2')), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([program, exchanges]) =>
    exchanges.reduce((source, [place, by]) => {
      const words = source.split(/([\p{L}\p{N}_`-]+)/u); // words are at the odd indexes
      const count = (words.length - 1) / 2;
      if (count > 0) words[2 * (place % count) + 1] = by;
      return words.join('');
    }, program),
  );

/** Programs in which some characters are removed or replaced, or others inserted. */
export const mutatedProgram = fc
  .tuple(
    validProgram,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat(12),
        fc.oneof(fc.constantFrom(...TOKENS), fc.string({ unit: 'binary', maxLength: 2 })),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([program, mutations]) =>
    mutations.reduce((source, [place, length, by]) => {
      const at = place % (source.length + 1);
      return source.slice(0, at) + by + source.slice(length % 3 === 0 ? at : at + length);
    }, program),
  );

/** Tokens in any order. */
export const tokenNoise = fc
  .array(fc.constantFrom(...TOKENS), { maxLength: 25 })
  .chain((tokens) => fc.constantFrom('', ' ').map((space) => tokens.join(space)));

/** Any characters of all planes, including control characters and halves of surrogate pairs. */
export const characterNoise = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
);
