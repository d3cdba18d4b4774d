import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

const run = promisify(execFile);

/** The schema of an application. */
export interface ApplicationSchema {
  /** The name of the package of Debian, or of the sample. */
  readonly name: string;
  /** The path of the SQL below /usr/share of the package, or of the script of the sample. */
  readonly file: string;
  /** SQL that runs before the schema. */
  readonly before?: string;
  /** SQL that runs after it. */
  readonly after?: string;
}

/** Zabbix documents this way to keep its history: one partition for each period. */
const PARTITIONED_HISTORY = `
  DROP TABLE history;
  CREATE TABLE history (itemid bigint NOT NULL, clock integer DEFAULT 0 NOT NULL, value double precision DEFAULT 0 NOT NULL,
    ns integer DEFAULT 0 NOT NULL, PRIMARY KEY (itemid, clock, ns)) PARTITION BY RANGE (clock);
  CREATE TABLE history_old PARTITION OF history FOR VALUES FROM (MINVALUE) TO (20);
  CREATE TABLE history_new PARTITION OF history FOR VALUES FROM (20) TO (MAXVALUE)`;

export const PACKAGED: readonly ApplicationSchema[] = [
  { name: 'bacula-director-pgsql', file: 'dbconfig-common/data/bacula-director-pgsql/install/pgsql' },
  { name: 'icinga2-ido-pgsql', file: 'icinga2-ido-pgsql/schema/pgsql.sql' },
  {
    name: 'icingadb',
    file: 'icingadb/schema/pgsql/schema.sql',
    before: 'CREATE SCHEMA types; CREATE EXTENSION citext SCHEMA types; SET search_path = public, types',
  },
  { name: 'pdns-backend-pgsql', file: 'pdns-backend-pgsql/schema/schema.pgsql.sql' },
  { name: 'roundcube-core', file: 'roundcube/SQL/postgres.initial.sql' },
  { name: 'zabbix-server-pgsql', file: 'zabbix-server-pgsql/schema.sql.gz', after: PARTITIONED_HISTORY },
];

const SAMPLES = join(import.meta.dirname, '../../../../../../../shared/data');

/** Databases with rows, if their scripts are on this machine. */
export const SAMPLE_SCHEMAS: readonly ApplicationSchema[] = [
  { name: 'Chinook', file: join(SAMPLES, 'chinook/Chinook_PostgreSql.sql') },
  { name: 'Northwind', file: join(SAMPLES, 'northwind/northwind.sql') },
].filter(({ file }) => existsSync(file));

/** Reads a script, without the lines that create another database and connect to it. */
export function readSample({ file }: ApplicationSchema): string {
  return readFileSync(file, 'utf8').replace(/^(\\c .*|(DROP|CREATE) DATABASE .*)$/gm, '');
}

/** @returns why this machine cannot download packages of Debian; undefined if it can */
export function whyNoPackages(): string | undefined {
  return existsSync('/usr/bin/apt-get') ? undefined : 'expected Debian, whose packages have the schemas';
}

/**
 * Downloads the package in the version of this machine's Debian, and unpacks it. Installs nothing, and prints the version.
 * @returns the SQL of the schema
 */
export async function readPackaged({ name, file }: ApplicationSchema, folder: string): Promise<string> {
  const own = join(folder, name);
  await mkdir(own);
  await run('apt-get', ['--option', 'APT::Sandbox::User=root', 'download', name], { cwd: own });
  const [archive = ''] = readdirSync(own);
  process.stderr.write(`${archive}\n`);
  await run('dpkg-deb', ['--extract', archive, 'files'], { cwd: own });
  const bytes = readFileSync(join(own, 'files/usr/share', file));
  return String(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}
