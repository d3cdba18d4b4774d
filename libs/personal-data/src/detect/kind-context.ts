import { words } from '../clues/context-words.js';
import type { Kind } from '../kind.js';

/** If a column's name contains one of these words, its addresses belong to networks, not to people. */
export const NETWORK_WORDS = words([
  'network, subnet, gateway, netmask, mask, range, dns, cidr, route, server, listen, bind, node',
]);

/**
 * If a column's name contains one of these words, its values are ambiguous and cannot determine a kind. E-mail addresses
 * are not ambiguous.
 */
export const UNDECIDABLE_WORDS = words([
  'version, release, build, firmware, color, colour, month, weekday, day, season, country, state, province',
  'region, currency, language, hash, checksum, md, sha, etag, digest, ean, upc, isbn, gtin, sku, barcode',
  'imei, serial, vin, order, invoice, tracking, sequence, message, commit, model, brand, title, species',
  'breed, amount, price, total, quantity, epoch, timestamp, ts',
]);

/** If the name of a table or column contains one of these words, its amounts are not the income of a person. */
export const LEDGER_WORDS = words(['statement, ledger, balance, booking, interest, tax, journal']);

/** If the name of a table or column contains one of these words, its addresses are not those of people. */
export const LOCATION_WORDS = words([
  'airport, airports, station, stations, country, countries, city, cities, region, regions, store, stores',
  'shop, shops, warehouse, warehouses, branch, branches, building, buildings, venue, venues, hotel, hotels',
  'restaurant, restaurants, sensor, sensors, territory, territories, depot, depots, zone, zones, locations',
  'stop, stops, zip, zips, zipcodes, postcodes',
]);

/** If a column's name contains one of these words, its texts are written by programs, not by people. */
export const PROGRAM_WORDS = words([
  'error, status, system, commit, exception, debug, validation, warning, log, build',
]);

/** If the name of a table or column contains one of these words, its texts do not describe people. */
export const GOODS_WORDS = words([
  'product, products, producto, productos, produit, produits, prodotto, prodotti, produto, produtos, produkt',
  'produkte, artikel, articulo, articulos, articolo, articoli, artigo, artigos, item, items, sku, article, articles',
  ' category, categories, album, track, song, movie',
  'film, book, game, commit, commits, migration, migrations, release, releases, schema, table, column',
]);

/** Kinds whose column names also occur in tables about things, such as clothes and machines. */
export const SENSITIVE_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'gender',
  'marital_status',
  'income',
  'health',
  'belief',
  'origin',
  'orientation',
]);

/** Kinds for which a weak clue in the name is ignored if the table is not about people. */
export const PEOPLE_ONLY_KINDS: ReadonlySet<Kind> = new Set<Kind>(['income', 'health']);

/**
 * Kinds for which the loose test of the values is sufficient to confirm a weak clue if the table is about
 * people.
 */
export const LOOSE_FOR_PEOPLE: ReadonlySet<Kind> = new Set<Kind>([
  'username',
  'postcode',
  'national_id',
  'iban',
]);

export const LOCATION_KINDS: ReadonlySet<Kind> = new Set<Kind>(['street', 'postcode', 'city', 'coordinates']);

/** Kinds of which even the strict test accepts many other values, so that one value is not enough to confirm a name. */
export const AMBIGUOUS_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'birth_date',
  'postcode',
  'username',
  'national_id',
  'photo',
  'income',
  'health',
]);
