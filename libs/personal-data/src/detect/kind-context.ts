import { words } from '../clues/context-words.js';
import type { Kind } from '../kind.js';

/** An address in a column named so belongs to a network, not to a person. */
export const NETWORK_WORDS = words(`
  network, subnet, gateway, netmask, mask, range, dns, cidr, route, server, listen, bind, node`);

/** The values of a column named so do not decide: each of them could pass for something else. */
export const UNDECIDABLE_WORDS = words(`
  version, release, build, firmware, color, colour, month, weekday, day, season, country, state, province,
  region, currency, language, hash, checksum, md, sha, etag, digest, ean, upc, isbn, gtin, sku, barcode,
  imei, serial, vin, order, invoice, tracking, sequence, message, commit, model, brand, title, species,
  breed, amount, price, total, quantity, epoch, timestamp, ts`);

/** Amounts in a table or column named so belong to a company. */
export const LEDGER_WORDS = words(`
  statement, ledger, balance, booking, interest, tax, journal`);

/** Addresses, towns and coordinates in a table or column named so belong to a place of business or to geography. */
export const LOCATION_WORDS = words(`
  airport, airports, station, stations, country, countries, city, cities, region, regions, store, stores,
  shop, shops, warehouse, warehouses, branch, branches, building, buildings, venue, venues, hotel, hotels,
  restaurant, restaurants, sensor, sensors, territory, territories, depot, depots, zone, zones, locations,
  stop, stops, zip, zips, zipcodes, postcodes`);

/** Programs write the texts of a column named so. */
export const PROGRAM_WORDS = words(`
  error, status, system, commit, exception, debug, validation, warning, log, build`);

/** Texts in a table or column named so describe goods and works. */
export const GOODS_WORDS = words(`
  product, products, item, items, sku, article, articles, category, categories, album, track, song, movie,
  film, book, game, commit, commits, migration, migrations, release, releases, schema, table, column`);

/** Garments and machines have columns with the names of these kinds too. */
export const SENSITIVE_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'gender',
  'marital_status',
  'income',
  'health',
  'belief',
  'origin',
  'orientation',
]);

/** A weak name is a hint of these kinds only if the table is about people. */
export const PEOPLE_ONLY_KINDS: ReadonlySet<Kind> = new Set<Kind>(['income', 'health']);

/** If the table is about people, values that pass the loose test are enough for these kinds. */
export const LOOSE_FOR_PEOPLE: ReadonlySet<Kind> = new Set<Kind>([
  'username',
  'postcode',
  'national_id',
  'iban',
]);

export const LOCATION_KINDS: ReadonlySet<Kind> = new Set<Kind>(['street', 'postcode', 'city', 'coordinates']);
