// Steps of compositions (`let`): functions of `{ locale, kinds }`, where `kinds` says of each id whether it is an n-gram.
import { elements } from './sections.mjs';
import { ownSection } from './sources.mjs';

/** A draw of a model of the same locale: of its n-gram model where there is one, else of its list. */
export function draw(name) {
  return ({ locale, kinds }) =>
    kinds.get(`${locale}/${name}`) === 'ngram'
      ? { type: 'model', source: `${locale}/${name}` }
      : drawListed(name)({ locale });
}

/** A draw of the list behind a model: what exists, and nothing else. */
export function drawListed(name) {
  return ({ locale }) => ({ type: 'list', source: `${locale}/${name}` });
}

/** A draw of `<sex>_<name>`, where an earlier step is called sex. */
export function drawBySex(name) {
  return (context) => {
    const { type, source } = draw(`female_${name}`)(context);
    return { type, source: source.replace('/female_', '/{{sex}}_') };
  };
}

export const sex = () => ({ type: 'list', values: ['female', 'male'] });

/** One of a section of data/<locale>.txt, by its weights; those without weigh 1. */
export function word(section) {
  return ({ locale }) => ({ type: 'list', values: elements(ownSection(locale, section)) });
}

/** One of `choices`, all alike. */
export function oneOf(...choices) {
  return () => ({ type: 'list', values: choices });
}

/** A whole number, both bounds included. */
export function whole(min, max) {
  return () => ({ use: '@svc/core:logic.int_between', params: { min, max } });
}

/** A number of a house: from 1, low ones the most frequent. */
export function houseNumber(mean) {
  return () => ({
    use: '@svc/core:logic.exponential',
    params: { lambda: 1 / mean },
    transform: 'floor(value) + 1',
  });
}
