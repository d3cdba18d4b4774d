// Takes the weighted US surnames out of Debian's python3-fake-factory package into sources/us-surnames.tsv:
//   apt-get download python3-fake-factory=0.9.3-2 && dpkg -x python3-fake-factory_0.9.3-2_all.deb unpacked
//   node models/extract-us-surnames.mjs unpacked
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [unpacked] = process.argv.slice(2);
if (unpacked === undefined) throw new Error('usage: node models/extract-us-surnames.mjs <unpacked package>');

const provider = join(unpacked, 'usr/lib/python3/dist-packages/faker/providers/person/en_US/__init__.py');
const source = readFileSync(provider, 'utf8');
const start = source.indexOf('last_names = OrderedDict((');
const table = source.slice(start, source.indexOf('))\n', start) + 1);
const rows = [...table.matchAll(/\('([^']+)', *([0-9.]+)\)/g)].map(
  ([, name, share]) => `${name}\t${share}\n`,
);
if (rows.length !== 1000) throw new Error(`expected 1000 surnames, found ${rows.length}`);
writeFileSync(join(import.meta.dirname, 'sources', 'us-surnames.tsv'), rows.join(''));
