import { draw, drawBySex, drawListed, houseNumber, oneOf, sex, whole, word } from './composition-steps.mjs';

const LETTER = oneOf('A', 'B', 'C', 'D');
const SMALL_LETTER = oneOf('a', 'b', 'c');

const TYPE_AND_NAME = {
  steps: { type: word('street_types'), name: word('street_names') },
  patterns: { '{{type}} {{name}}': 1 },
};
const STEM_AND_ENDING = {
  steps: { stem: word('street_stems'), ending: word('street_suffixes') },
  patterns: { '{{stem}}{{ending}}': 1 },
};

/**
 * The steps and patterns of street names, for locales in which the parts of a street name are independent.
 */
const STREETS = {
  fr_FR: TYPE_AND_NAME,
  es_ES: TYPE_AND_NAME,
  it_IT: TYPE_AND_NAME,
  pt_BR: TYPE_AND_NAME,
  nl_NL: STEM_AND_ENDING,
  sv_SE: {
    steps: { town: word('town_stems'), green: word('green_stems') },
    patterns: { '{{town}}gatan': 10, '{{green}}vägen': 10, '{{green}}stigen': 2 },
  },
  fi_FI: STEM_AND_ENDING,
  tr_TR: {
    steps: { name: word('street_names'), kind: word('street_kinds'), street_number: whole(1, 2500) },
    patterns: { '{{name}} {{kind}}': 3, '{{street_number}}. Sokak': 1 },
  },
  ja_JP: {
    steps: { town: drawListed('towns'), chome: whole(1, 6) },
    patterns: { '{{town}}{{chome}}丁目': 1 },
  },
};

/**
 * Returns the steps that generate a street: those of `STREETS` if the locale is there, otherwise a draw from
 * the locale's model.
 */
function streetSteps(locale) {
  const composed = STREETS[locale];
  if (composed === undefined) return { street: draw('streets') };
  return { ...composed.steps, street: () => outputForm(composed.patterns) };
}

/**
 * One row per composition: its id, its steps (see composition-steps.mjs), and its patterns with their
 * weights. Steps that no pattern uses are left out.
 */
export const COMPOSITIONS = [
  full(
    'en_US',
    { first: draw('first_names'), middle: oneOf(...'ABCDEFGHJKLMNPRSTW'), last: draw('last_names') },
    { '{{first}} {{last}}': 9, '{{first}} {{middle}}. {{last}}': 1 },
  ),
  full('en_GB', plain(), { '{{first}} {{last}}': 1 }),
  full(
    'de_DE',
    { ...plain(), last2: draw('last_names') },
    { '{{first}} {{last}}': 30, '{{first}} {{last}}-{{last2}}': 1 },
  ),
  full('fr_FR', plain(), { '{{first}} {{last}}': 1 }),
  full(
    'es_ES',
    { first: drawListed('first_names'), last: draw('last_names'), last2: draw('last_names') },
    { '{{first}} {{last}} {{last2}}': 1 },
  ),
  full('it_IT', plain(), { '{{first}} {{last}}': 1 }),
  full('nl_NL', plain(), { '{{first}} {{last}}': 1 }),
  full('pl_PL', bySex(), { '{{first}} {{last}}': 1 }),
  full('tr_TR', plain(), { '{{first}} {{last}}': 1 }),
  full(
    'pt_BR',
    {
      first: drawListed('first_names'),
      last: draw('last_names'),
      last2: draw('last_names'),
      of: word('surnames_with_particle'),
    },
    {
      '{{first}} {{last}} {{last2}}': 4,
      '{{first}} {{last}}': 3,
      '{{first}} {{last}} {{of}}': 3,
      '{{first}} {{of}}': 2,
    },
  ),
  full('sv_SE', plain(), { '{{first}} {{last}}': 1 }),
  full('cs_CZ', bySex(), { '{{first}} {{last}}': 1 }),
  full(
    'ru_RU',
    { ...bySex(), patronymic: drawBySex('patronymics') },
    { '{{last}} {{first}} {{patronymic}}': 1 },
  ),
  full('ja_JP', plain(), { '{{last}}{{first}}': 1 }),
  full('fi_FI', plain(), { '{{first}} {{last}}': 1 }),

  ...Object.entries(STREETS).map(([locale, { steps, patterns }]) =>
    composition(`${locale}/streets`, steps, patterns),
  ),

  address(
    'en_US',
    { number: houseNumber(2200), unit: whole(1, 40) },
    { '{{number}} {{street}}': 6, '{{number}} {{street}}, Apt {{unit}}': 1 },
  ),
  address(
    'en_GB',
    { number: houseNumber(45), unit: whole(1, 24) },
    { '{{number}} {{street}}': 7, 'Flat {{unit}}, {{number}} {{street}}': 1 },
  ),
  address(
    'de_DE',
    { number: houseNumber(30), letter: SMALL_LETTER },
    { '{{street}} {{number}}': 9, '{{street}} {{number}}{{letter}}': 1 },
  ),
  address(
    'fr_FR',
    { number: houseNumber(30) },
    { '{{number}} {{street}}': 15, '{{number}} bis {{street}}': 1 },
  ),
  address(
    'es_ES',
    { number: houseNumber(35), floor: whole(1, 7), door: LETTER },
    { '{{street}}, {{number}}': 5, '{{street}}, {{number}}, {{floor}}º {{door}}': 5 },
  ),
  address(
    'it_IT',
    { number: houseNumber(40), letter: LETTER },
    { '{{street}}, {{number}}': 9, '{{street}}, {{number}}/{{letter}}': 1 },
  ),
  address(
    'nl_NL',
    { number: houseNumber(50), letter: SMALL_LETTER },
    { '{{street}} {{number}}': 9, '{{street}} {{number}}{{letter}}': 1 },
  ),
  address(
    'pl_PL',
    { number: houseNumber(30), flat: whole(1, 60) },
    { '{{street}} {{number}}': 5, '{{street}} {{number}}/{{flat}}': 5 },
  ),
  address(
    'tr_TR',
    { number: houseNumber(35), flat: whole(1, 20) },
    { '{{street}} No: {{number}}': 5, '{{street}} No: {{number}}/{{flat}}': 5 },
  ),
  address(
    'pt_BR',
    { number: houseNumber(500), flat: whole(11, 154) },
    { '{{street}}, {{number}}': 5, '{{street}}, {{number}}, Apto {{flat}}': 1 },
  ),
  address(
    'sv_SE',
    { number: houseNumber(20), letter: LETTER },
    { '{{street}} {{number}}': 6, '{{street}} {{number}} {{letter}}': 1 },
  ),
  address(
    'cs_CZ',
    { number: houseNumber(25), parcel: whole(100, 2600) },
    { '{{street}} {{number}}': 5, '{{street}} {{parcel}}/{{number}}': 4 },
  ),
  address(
    'ru_RU',
    { number: houseNumber(30), flat: whole(1, 180) },
    { '{{street}}, д. {{number}}, кв. {{flat}}': 3, '{{street}}, д. {{number}}': 1 },
  ),
  composition(
    'ja_JP/street_addresses',
    { town: drawListed('towns'), chome: whole(1, 6), ban: houseNumber(9), go: houseNumber(7) },
    { '{{town}}{{chome}}-{{ban}}-{{go}}': 1 },
  ),
  address(
    'fi_FI',
    { number: houseNumber(18), letter: LETTER, flat: whole(1, 60) },
    { '{{street}} {{number}}': 1, '{{street}} {{number}} {{letter}} {{flat}}': 1 },
  ),

  companies(
    'en_US',
    { word: word('company_words') },
    {
      '{{last}} {{trade}} {{form}}': 4,
      '{{word}} {{trade}} {{form}}': 4,
      '{{last}} {{trade}}': 2,
      '{{word}} {{trade}}': 3,
      '{{last}} & {{last2}} {{form}}': 2,
      '{{last}} {{form}}': 2,
      '{{last}} & Sons {{trade}}': 1,
    },
  ),
  companies(
    'en_GB',
    { word: word('company_words') },
    {
      '{{last}} {{trade}} {{form}}': 4,
      '{{word}} {{trade}} {{form}}': 4,
      '{{last}} {{trade}}': 2,
      '{{word}} {{trade}}': 2,
      '{{last}} & {{last2}} {{form}}': 2,
      '{{last}} & Sons {{form}}': 1,
    },
  ),
  companies(
    'de_DE',
    { craft: word('crafts'), partnership: word('partnerships') },
    {
      '{{last}} {{trade}} {{form}}': 6,
      '{{craft}} {{last}}': 4,
      '{{last}} {{form}}': 2,
      '{{last}} & {{last2}} {{partnership}}': 2,
      '{{last}} & Söhne GmbH': 0.7,
    },
  ),
  companies(
    'fr_FR',
    { craft: word('crafts') },
    {
      '{{last}} {{trade}}': 4,
      '{{form}} {{last}} {{trade}}': 2,
      '{{last}} {{trade}} {{form}}': 2,
      '{{craft}} {{last}}': 5,
      '{{last}} et Fils': 1.5,
      '{{last}} & Associés': 1,
      'Groupe {{last}}': 0.5,
    },
  ),
  companies(
    'es_ES',
    { craft: word('crafts') },
    {
      '{{trade}} {{last}}, {{form}}': 6,
      '{{craft}} {{last}}': 4,
      '{{last}} y {{last2}}, {{form}}': 1.5,
      'Hermanos {{last}}, {{form}}': 1,
      '{{trade}} {{last}} e Hijos, {{form}}': 0.7,
      'Grupo {{last}}': 0.6,
    },
  ),
  companies(
    'it_IT',
    { craft: word('crafts') },
    {
      '{{last}} {{trade}} {{form}}': 4,
      '{{trade}} {{last}} {{form}}': 2,
      '{{craft}} {{last}}': 4,
      'F.lli {{last}} {{form}}': 2,
      '{{last}} & {{last2}} {{form}}': 1,
      '{{last}} {{form}}': 1,
    },
  ),
  companies(
    'nl_NL',
    { craft: word('crafts') },
    {
      '{{capitalize(last)}} {{trade}} {{form}}': 5,
      '{{craft}} {{capitalize(last)}}': 5,
      '{{capitalize(last)}} & Zonen {{form}}': 1,
      '{{capitalize(last)}} & {{capitalize(last2)}} {{trade}}': 1,
      '{{capitalize(last)}} Holding B.V.': 0.5,
    },
  ),
  companies(
    'pl_PL',
    { craft: word('crafts'), last: draw('male_last_names') },
    {
      '{{craft}} {{last}}': 5,
      '{{last}} {{trade}} {{form}}': 4,
      '{{last}} {{form}}': 2,
      '{{last}} i Synowie {{form}}': 1,
      '{{last}} i Wspólnicy Sp. k.': 0.7,
      'P.H.U. {{last}}': 1.5,
    },
  ),
  companies(
    'tr_TR',
    { craft: word('crafts') },
    {
      '{{last}} {{trade}} {{form}}': 4,
      '{{last}} {{trade}} San. ve Tic. {{form}}': 3,
      '{{last}} {{craft}}': 3,
      '{{last}} Kardeşler {{trade}} {{form}}': 1,
      '{{last}} ve Oğulları {{form}}': 0.7,
      '{{last}} Holding A.Ş.': 0.5,
    },
  ),
  companies(
    'pt_BR',
    { craft: word('crafts') },
    {
      '{{last}} {{trade}} {{form}}': 3,
      '{{trade}} {{last}} {{form}}': 3,
      '{{craft}} {{last}}': 4,
      'Irmãos {{last}} {{form}}': 1,
      '{{last}} & {{last2}} {{form}}': 1.5,
      '{{last}} & Filhos {{form}}': 0.7,
      'Grupo {{last}}': 0.7,
    },
  ),
  companies(
    'sv_SE',
    {
      craft: word('crafts'),
      possessive: () => ({ computed: "if(ends_with(last, 's'), last, concat(last, 's'))" }),
    },
    {
      '{{possessive}} {{trade}} {{form}}': 5,
      '{{last}} {{trade}} {{form}}': 3,
      '{{last}} & {{last2}} {{form}}': 1,
      '{{possessive}} {{craft}}': 1.5,
      '{{last}} & Söner {{form}}': 1,
    },
  ),
  companies(
    'cs_CZ',
    { craft: word('crafts'), last: draw('male_last_names') },
    {
      '{{craft}} {{last}}': 5,
      '{{trade}} {{last}} {{form}}': 3,
      '{{last}} {{trade}} {{form}}': 2,
      '{{last}} {{form}}': 2,
      '{{last}} a syn {{form}}': 1,
    },
  ),
  composition(
    'ru_RU/companies',
    {
      form: word('legal_forms'),
      word: word('company_words'),
      trade: word('trades'),
      ending: word('trade_endings'),
      ...bySex(),
      patronymic: drawBySex('patronymics'),
    },
    {
      '{{form}} «{{word}}»': 4,
      '{{form}} «{{trade}}{{ending}}»': 5,
      'ИП {{last}} {{substring(first, 0, 1)}}. {{substring(patronymic, 0, 1)}}.': 3,
    },
  ),
  composition(
    'ja_JP/companies',
    {
      last: draw('last_names'),
      trade: word('trades'),
      region: word('company_words'),
      name: word('company_names'),
    },
    {
      '{{last}}{{trade}}株式会社': 4,
      '株式会社{{last}}{{trade}}': 4,
      '有限会社{{last}}{{trade}}': 1.5,
      '{{region}}{{trade}}株式会社': 3,
      '株式会社{{name}}': 2,
      '合同会社{{name}}': 0.7,
    },
  ),
  companies(
    'fi_FI',
    { craft: word('crafts') },
    {
      '{{trade}} {{last}} {{form}}': 4,
      '{{craft}} {{last}} {{form}}': 4,
      '{{last}} {{form}}': 1,
      '{{last}} & {{last2}} {{form}}': 1,
    },
  ),

  composition(
    'en_US/job_titles',
    {
      level: word('job_levels'),
      role: word('job_roles'),
      head: word('job_heads'),
      department: word('job_departments'),
    },
    { '{{role}}': 6, '{{level}} {{role}}': 4, '{{head}} {{department}}': 1 },
  ),
  composition(
    'en_US/product_names',
    {
      line: word('product_lines'),
      style: word('product_styles'),
      good: word('goods'),
      color: word('colors'),
      grocery: word('groceries'),
      pack: word('packs'),
    },
    {
      '{{line}} {{good}}': 4,
      '{{line}} {{style}} {{good}}': 2,
      '{{line}} {{good}}, {{color}}': 3,
      '{{style}} {{good}}': 2,
      '{{line}} {{grocery}}, {{pack}}': 2,
      '{{line}} Organic {{grocery}}': 1,
    },
  ),
];

function plain() {
  return { first: draw('first_names'), last: draw('last_names') };
}

function bySex() {
  return { sex, first: drawBySex('first_names'), last: drawBySex('last_names') };
}

function full(locale, steps, patterns) {
  return composition(`${locale}/full_names`, steps, patterns);
}

function address(locale, steps, patterns) {
  return composition(`${locale}/street_addresses`, { ...streetSteps(locale), ...steps }, patterns);
}

function companies(locale, steps, patterns) {
  const common = {
    last: draw('last_names'),
    last2: draw('last_names'),
    trade: word('trades'),
    form: word('legal_forms'),
  };
  return composition(`${locale}/companies`, { ...common, ...steps }, patterns);
}

function composition(id, steps, patterns) {
  const [locale, name] = id.split('/');
  return { id, locale, name, steps, output: outputForm(patterns) };
}

/** Converts patterns with weights into the output part of a composition definition. */
function outputForm(patterns) {
  const variants = Object.entries(patterns).map(([pattern, weight]) => ({ pattern, weight }));
  return variants.length === 1 ? { body: variants[0].pattern } : { variants };
}
