// What is done to single values of a source; undefined leaves a value out.

/** The feminine form of a Polish surname: adjectives inflect, nouns do not. */
export function polishFeminine(surname) {
  return surname.replace(/(?<=[sc]k|dzk)i$|(?<=[nł]|ch)y$/, 'a');
}

/** The feminine form of a Russian surname. */
export function russianFeminine(surname) {
  if (/(?:ов|ев|ёв|ин|ын)$/.test(surname)) return `${surname}а`;
  return surname.replace(/(?:ий|ый|ой)$/, 'ая');
}

/** German street names of one word, written out: those of several do not take each other's endings. */
export function germanStreet(name) {
  const written = name.replace(/str\.$/, 'straße');
  return /^\p{L}+(?:straße|weg|gasse|platz|allee|ring)$/u.test(written) ? written : undefined;
}

/** Czech street names of one word that are an adjective or say whose street it is. */
export function czechStreet(name) {
  return /^\p{L}+(?:á|ova)$/u.test(name) ? name : undefined;
}

/** English street names of a word and a kind of street; more words mix up their endings. */
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

/** Without those that begin with a particle. */
export function capitalised(name) {
  return /^\p{Lu}/u.test(name) ? name : undefined;
}

/** Without a remark in brackets, such as a region's abbreviation; parts of towns are left out. */
export function town(name) {
  return name.includes(',') ? undefined : name.replace(/ ?\(.+\)$/, '');
}
