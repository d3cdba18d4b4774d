// Functions that edit one value of a source. They return undefined to leave a value out.

/** The feminine form of a Polish surname. Surnames that are adjectives inflect, nouns do not. */
export function polishFeminine(surname) {
  return surname.replace(/(?<=[sc]k|dzk)i$|(?<=[nł]|ch)y$/, 'a');
}

/** The feminine form of a Russian surname. */
export function russianFeminine(surname) {
  if (/(?:ов|ев|ёв|ин|ын)$/.test(surname)) return `${surname}а`;
  return surname.replace(/(?:ий|ый|ой)$/, 'ая');
}

/**
 * Accepts German street names of one word, and spells `str.` out. A model that learned names of several words
 * would mix their endings.
 */
export function germanStreet(name) {
  const written = name.replace(/str\.$/, 'straße');
  return /^\p{L}+(?:straße|weg|gasse|platz|allee|ring)$/u.test(written) ? written : undefined;
}

/** Accepts Czech street names of one word that is an adjective or a possessive. */
export function czechStreet(name) {
  return /^\p{L}+(?:á|ova)$/u.test(name) ? name : undefined;
}

/**
 * Accepts English street names that consist of one word and a street type. A model that learned longer names
 * would mix their endings.
 */
export function englishStreet(name) {
  const [, first] =
    /^(?:[NSEW] )?([\p{L}\d']+) (?:Avenue|Close|Drive|Gardens|Grove|Hill|Lane|Place|Road|Street|Way)$/u.exec(
      name,
    ) ?? [];
  return first === undefined ||
    ['The', 'Avenue', 'Crescent', 'Grove', 'Park', 'Broadway', 'Main'].includes(first)
    ? undefined
    : name;
}

const POLISH_SPELLING = { Swierkowa: 'Świerkowa', Rózana: 'Różana', Glówna: 'Główna', Kreta: 'Kręta' };

export function polishStreet(name) {
  return `ul. ${POLISH_SPELLING[name] ?? name}`;
}

export function russianStreet(name) {
  return `ул. ${name}`;
}

/** Leaves out names that do not begin with a capital letter, such as those with a particle. */
export function capitalised(name) {
  return /^\p{Lu}/u.test(name) ? name : undefined;
}

/**
 * Removes a remark in brackets, such as the abbreviation of a region. Leaves out names with a comma, which
 * are parts of towns.
 */
export function town(name) {
  return name.includes(',') ? undefined : name.replace(/ ?\(.+\)$/, '');
}
