// Steps of compositions (`let`). A step is a function of `{ locale, kinds }`, where `kinds` maps each id to
// its kind.
import { elements } from './sections.mjs';
import { ownSection } from './sources.mjs';

/** Draws from the n-gram model of this name and locale, or from the list if there is no n-gram model. */
export function draw(name) {
  return ({ locale, kinds }) =>
    kinds.get(`${locale}/${name}`) === 'ngram'
      ? { type: 'model', source: `${locale}/${name}` }
      : drawListed(name)({ locale });
}

/** Draws from the list of real values that comes with a model. */
export function drawListed(name) {
  return ({ locale }) => ({ type: 'list', source: `${locale}/${name}` });
}

/** Draws from `<sex>_<name>`. An earlier step with the name `sex` provides the sex. */
export function drawBySex(name) {
  return (context) => {
    const { type, source } = draw(`female_${name}`)(context);
    return { type, source: source.replace('/female_', '/{{sex}}_') };
  };
}

export const sex = () => ({ type: 'list', values: ['female', 'male'] });

/** Draws an entry of a section of data/<locale>.txt by weight. An entry without a weight has the weight 1. */
export function word(section) {
  return ({ locale }) => ({ type: 'list', values: elements(ownSection(locale, section)) });
}

/** Draws one of `choices` with equal probability. */
export function oneOf(...choices) {
  return () => ({ type: 'list', values: choices });
}

/** Draws a whole number between two bounds, both included. */
export function whole(min, max) {
  return () => ({ use: '@svc/core:logic.int_between', params: { min, max } });
}

/** Draws a house number from 1. Low numbers are more frequent than high ones. */
export function houseNumber(mean) {
  return () => ({
    use: '@svc/core:logic.exponential',
    params: { lambda: 1 / mean },
    transform: 'floor(value) + 1',
  });
}
