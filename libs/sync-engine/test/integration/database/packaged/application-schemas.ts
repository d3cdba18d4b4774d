import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

const run = promisify(execFile);

/** The schema of an application. */
export interface ApplicationSchema {
  /** The name of the package of Debian, the name and version of the package of npm, or the name of the sample. */
  readonly name: string;
  /** The path of SQL below /usr/share of the package, or of the script; an expression for a package of npm. */
  readonly file: string;
  /** SQL that runs before the schema. */
  readonly before?: string;
  /** SQL that runs after it. */
  readonly after?: string;
}

/** pg-boss has a partition for each queue. */
const QUEUES = "SELECT pgboss.create_queue('mail', '{}'), pgboss.create_queue('reports', '{}')";

export const PACKAGED: readonly ApplicationSchema[] = [
  { name: 'bacula-director-pgsql', file: 'dbconfig-common/data/bacula-director-pgsql/install/pgsql' },
  { name: 'icinga2-ido-pgsql', file: 'icinga2-ido-pgsql/schema/pgsql.sql' },
  {
    name: 'icingadb',
    file: 'icingadb/schema/pgsql/schema.sql',
    before: 'CREATE SCHEMA types; CREATE EXTENSION citext SCHEMA types; SET search_path = public, types',
  },
  { name: 'pdns-backend-pgsql', file: 'pdns-backend-pgsql/schema/schema.pgsql.sql' },
  {
    name: 'pg-boss@10.3.3',
    file: "require('./src/plans.js').create('pgboss', require('./version.json').schema)",
    after: QUEUES,
  },
  {
    name: 'graphile-worker@0.13.0',
    file: "fs.readdirSync('sql').map((name) => fs.readFileSync('sql/' + name)).join(';').replaceAll(':GRAPHILE_WORKER_SCHEMA', 'worker')",
    before: 'CREATE SCHEMA worker',
  },
  { name: 'roundcube-core', file: 'roundcube/SQL/postgres.initial.sql' },
  { name: 'zabbix-server-pgsql', file: 'zabbix-server-pgsql/schema.sql.gz' },
];

const SAMPLES = join(import.meta.dirname, '../../../../../../../shared/data');

/** Databases with rows. */
export const SAMPLE_SCHEMAS: readonly ApplicationSchema[] = [
  { name: 'Chinook', file: join(SAMPLES, 'chinook/Chinook_PostgreSql.sql') },
  { name: 'Northwind', file: join(SAMPLES, 'northwind/northwind.sql') },
];

/** Reads a script, without the lines that create another database and connect to it. */
export function readSample({ file }: ApplicationSchema): string {
  return readFileSync(file, 'utf8').replace(/^(\\c .*|(DROP|CREATE) DATABASE .*)$/gm, '');
}

/** @returns why this machine cannot download packages of Debian; undefined if it can */
export function whyNoPackages(): string | undefined {
  return existsSync('/usr/bin/apt-get') ? undefined : 'expected Debian, whose packages have the schemas';
}

/**
 * Downloads the package of npm, or that of Debian for this machine. Installs nothing, and prints the version.
 * @returns the SQL of the schema
 */
export async function readPackaged({ name, file }: ApplicationSchema, folder: string): Promise<string> {
  const own = join(folder, name);
  await mkdir(own);
  if (name.includes('@')) return fromModule(name, file, own);
  await run('apt-get', ['--option', 'APT::Sandbox::User=root', 'download', name], { cwd: own });
  const [archive = ''] = readdirSync(own);
  process.stderr.write(`${archive}\n`);
  await run('dpkg-deb', ['--extract', archive, 'files'], { cwd: own });
  const bytes = readFileSync(join(own, 'files/usr/share', file));
  return String(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}

async function fromModule(name: string, file: string, folder: string): Promise<string> {
  await run('npm', ['pack', name, '--silent'], { cwd: folder });
  const [archive = ''] = readdirSync(folder);
  process.stderr.write(`${archive}\n`);
  await run('tar', ['--extract', '--file', archive], { cwd: folder });
  const { stdout } = await run(process.execPath, ['--print', file], { cwd: join(folder, 'package') });
  return stdout;
}
