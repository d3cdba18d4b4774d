import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanUpOnExit } from '@understudy/local-system';
import { connectNamespaces, describeUnless, NetworkNamespace, reasonToSkip } from '@understudy/testing';

import { packRelease } from '../../src/pack-release.js';
import { PROGRAMS } from '../../src/staging/stage-program.js';
import { ATTEMPTS, confinement } from './confinement.js';
import { makeDebianRoot, makeNodeLayer } from './debian-root.js';
import { guideSteps } from './guide-steps.js';
import { Machine, type Printed } from './machine.js';
import { makeServerCertificate } from './server-certificate.js';

jest.setTimeout(600_000); // packs a release, and installs it on new machines

const ROOT = join(import.meta.dirname, '../../../..');
const NAME = 'understudy.example.com';
const SERVER_ADDRESS = '10.78.1.1';
const CUSTOMER_ADDRESS = '10.78.1.2';
const PASSWORD = 'letters1and2digits';

/** Paths that do not belong to Understudy: the files of this test, data of other programs, and npm's cache. */
const NOT_UNDERSTUDY = [
  /^\/root\/(release|\.npm)(\/|$)/,
  /^\/etc\/(hosts|machine-id)$/,
  /^\/etc\/ssl\/understudy(\/|$)/,
  /^\/etc\/(passwd|shadow|group|gshadow)-$/, // copies that useradd and userdel keep
  /^\/var\/(log|lib\/(postgresql|redis|nginx|dbus|systemd))\//,
  /^\/var\/tmp\/systemd-private-\w+-(?!understudy)/,
];

const DATABASES = `
  CREATE ROLE reader LOGIN PASSWORD 'secret';
  CREATE ROLE masker LOGIN PASSWORD 'secret';
  CREATE DATABASE staging OWNER masker;
  CREATE DATABASE shop;
  \\c shop
  CREATE TABLE customers (id integer PRIMARY KEY, email text NOT NULL);
  INSERT INTO customers SELECT i, 'person' || i || '@private.example' FROM generate_series(1, 1000) AS i;
  GRANT pg_read_all_data TO reader;`;
const DATABASE_URLS = `SHOP_URL=postgresql://reader:secret@127.0.0.1/shop
STAGING_URL=postgresql://masker:secret@127.0.0.1/staging
`;
const JOB = {
  name: 'first job',
  source: { type: 'postgresql', connection_string: 'agent:shop' },
  target: { type: 'postgresql', connection_string: 'agent:shop-staging' },
  tables: [
    {
      name: 'customers',
      columns: { email: { generator: 'template', pattern: '{{uuid}}@example.test' } },
    },
  ],
};

describeUnless(reasonToSkip('machines') ?? NetworkNamespace.whyNotPossible())('two new machines', () => {
  let folder: string;
  let callOff: () => void;
  let server: Machine;
  let customer: Machine;
  /** The last token of each kind that a command has printed. */
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-machines-'));
    // In memory, because an installation writes many small files.
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=0755', 'tmpfs', folder]);
    callOff = cleanUpOnExit([], [folder], [`umount --lazy --recursive '${folder}'`]);
    const [debian, node, release] = [join(folder, 'debian'), join(folder, 'node'), join(folder, 'release')];
    const programs = PROGRAMS.filter(({ name }) => name !== 'understudy-cli');
    await Promise.all([makeDebianRoot(debian), packRelease(ROOT, release, programs)]);
    makeNodeLayer(node, process.execPath);
    [server, customer] = ['server', 'customer'].map((name) => {
      const machine = Machine.create(name, [node, debian], folder);
      cpSync(release, machine.path('/root/release'), { recursive: true });
      machine.addHosts({ localhost: '127.0.0.1', [NAME]: SERVER_ADDRESS });
      return machine;
    }) as [Machine, Machine];
    connectNamespaces(
      { namespace: server.namespace, interface: 'wan0', address: `${SERVER_ADDRESS}/24` },
      { namespace: customer.namespace, interface: 'wan0', address: `${CUSTOMER_ADDRESS}/24` },
    );
    mkdirSync(server.path('/etc/ssl/understudy'));
    makeServerCertificate(server.path('/etc/ssl/understudy'), NAME);
    cpSync(server.path('/etc/ssl/understudy/ca.crt'), customer.path('/root/release/ca.crt'));
    await Promise.all([server.boot(), customer.boot()]);
  });

  afterAll(async () => {
    await Promise.all([customer?.remove(), server?.remove()]);
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true });
    callOff();
  });

  /** Runs commands that must succeed, and keeps the tokens that they print. */
  async function ran(machine: Machine, commands: string, input?: string): Promise<Printed> {
    const printed = await machine.run(commands, input);
    const { code, stdout, stderr } = printed;
    if (code !== 0) throw new Error(`exit code ${code} of:\n${commands}\n${stdout}\n${stderr}`);
    for (const [token, kind = ''] of stdout.matchAll(/us_(live|enrol)_[\w-]+/g)) tokens.set(kind, token);
    return printed;
  }

  /** Returns what a reader types or pastes into a step. */
  function inputOf(commands: string): string | undefined {
    if (commands.includes('createuser --pwprompt')) return `${PASSWORD}\n${PASSWORD}\n`;
    if (commands.includes(' init ')) return `postgresql://understudy:${PASSWORD}@127.0.0.1:5432/understudy\n`;
    if (commands.includes('read -rs TOKEN')) return `${tokens.get('live')}\n`;
    if (commands.includes('understudy-agent service install')) return `${tokens.get('enrol')}\n`;
    return undefined;
  }

  async function follow(guide: string): Promise<void> {
    for (const step of guideSteps(guide)) {
      if ('file' in step) {
        writeFileSync(customer.path(step.file), step.content);
        appendFileSync(customer.path('/etc/understudy-agent/agent.env'), DATABASE_URLS);
        continue;
      }
      const { commands } = step;
      if (step.machine !== 'agent') await ran(server, commands, inputOf(commands));
      if (step.machine !== 'server') await ran(customer, commands, inputOf(commands));
    }
  }

  /** Calls the API from the customer's network. The path may contain variables of the shell. */
  function call(path: string, body?: object): string {
    const data = body === undefined ? '' : `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
    const headers = `-H 'Authorization: Bearer ${tokens.get('live')}'`;
    return `curl -sS --fail-with-body --cacert ca.crt ${headers} ${data} "https://${NAME}/v1${path}"`;
  }

  /** Waits until the agent is live, and runs a job that replaces the target with masked rows. */
  async function completeMaskedJob(): Promise<void> {
    await ran(
      customer,
      `for i in $(seq 120); do ${call('/agents')} | grep -q '"live"' && exit; sleep 0.5; done; exit 1`,
    );
    const created = await ran(customer, call('/sync/jobs', JOB));
    const job = /job_[0-9A-Z]{26}/.exec(created.stdout)?.[0];
    const ended = await ran(
      customer,
      `for i in $(seq 240); do
         job=$(${call(`/sync/jobs/${job}?tables=none`)})
         case $job in *'"status":"'@(completed|failed|cancelled)'"'*) break ;; esac
         sleep 0.5
       done
       echo "$job"`,
    );
    expect(ended.stdout).toContain('"status":"completed"');
    const rows = "SELECT count(*), count(*) FILTER (WHERE email LIKE '%@private.example') FROM customers";
    const { stdout } = await ran(customer, `cd / && su postgres -c 'psql -Atd staging'`, rows);
    expect(stdout).toBe('1000|0\n');
    await ran(customer, `cd / && su postgres -c 'psql -qd staging'`, 'TRUNCATE customers');
  }

  it('have both programs after the commands of install.md, and complete a masked job', async () => {
    await ran(customer, 'cd / && su postgres -c "psql --set ON_ERROR_STOP=1 --quiet"', DATABASES);
    await follow('install.md');
    await completeMaskedJob();
  });

  it.each([
    ['understudy-control-plane', 'understudy', () => server],
    ['understudy-agent', 'understudy-agent', () => customer],
  ] as const)('confine %s', async (unit, user, machine) => {
    expect(await confinement(machine(), unit, user)).toEqual({
      running: {
        user,
        group: user,
        groups: user,
        capabilities: '0',
        boundingSet: '0',
        noNewPrivileges: '1',
        seccomp: '2',
        ownMounts: true,
        ownUsers: true,
      },
      allowedOutside: ATTEMPTS,
      allowedInside: [],
    });
  });

  it('complete a job after both services were restarted, and after both machines were rebooted', async () => {
    await ran(server, 'systemctl restart understudy-control-plane');
    await ran(customer, 'systemctl restart understudy-agent');
    await completeMaskedJob();
    await Promise.all([server.reboot(), customer.reboot()]);
    await completeMaskedJob();
  });

  it('keep configuration and state when the same packages are installed again', async () => {
    const files = (at: string) => `find ${at} -type f -printf '%p %m %u %g ' -exec sha256sum {} ';' | sort`;
    const [serverFiles, agentFiles] = [files('/etc/understudy'), files('/etc/understudy-agent')];
    const before = [await ran(server, serverFiles), await ran(customer, agentFiles)];
    const init = guideSteps('install.md').find(
      (step) => 'commands' in step && step.commands.includes(' init '),
    );
    const repeated = await server.run(init && 'commands' in init ? init.commands : '', inputOf(' init '));
    expect(repeated).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('/etc/understudy'),
    });
    for (const [machine, name] of [
      [server, 'control-plane'],
      [customer, 'agent'],
    ] as const) {
      await ran(machine, `npm install --global ./understudy-${name}-*.tgz`);
      await ran(machine, `understudy-${name} service install; systemctl restart understudy-${name}`);
    }
    expect([await ran(server, serverFiles), await ran(customer, agentFiles)]).toEqual(before);
    await completeMaskedJob();
  });

  it('have only what uninstall.md names after its commands', async () => {
    await follow('uninstall.md');
    for (const machine of [server, customer]) {
      const left = machine.changes().filter((path) => !NOT_UNDERSTUDY.some((pattern) => pattern.test(path)));
      expect(left).toEqual([]);
    }
    const schemas = `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'understudy%'`;
    for (const name of ['shop', 'staging'])
      expect((await ran(customer, `cd / && su postgres -c 'psql -Atd ${name}'`, schemas)).stdout).toBe('');
  });
});
