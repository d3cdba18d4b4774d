import {
  createTestDatabase,
  sharedTestServices,
  type TestDatabase,
  type SharedTestServices,
} from '@understudy/testing';

import { installLines } from '../../../src/agents/registry/enrolment/install-lines.js';
import { migrate } from '../../../src/platform/persistence/migrate.js';
import {
  DEVELOPMENT_VERSION_REFUSED,
  MADE_BY_A_DEVELOPMENT_VERSION,
} from '../harness/development-database.sql.js';
import { runCommand, runInProcess } from './run-command.js';

let services: SharedTestServices;
let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  services = await sharedTestServices({ postgres: true });
  database = await createTestDatabase(services.postgresUrl);
  env = { UNDERSTUDY_DATABASE_URL: database.url };
  await migrate(database);
  expect((await run(['bootstrap', '--org', 'Acme'])).code).toBe(0);
});
afterAll(async () => {
  await services?.stop();
});

const run = (args: readonly string[], environment = env) => runInProcess(args, environment);

describe('the command line', () => {
  it.each([[['migrate']], [['bootstrap', '--org', 'Old']]])(
    '%j refuses a database of a development version',
    async (args) => {
      const old = await createTestDatabase(services.postgresUrl);
      try {
        await old.query(MADE_BY_A_DEVELOPMENT_VERSION);
        const { code, stderr } = await run(args, { UNDERSTUDY_DATABASE_URL: old.url });
        expect([code, stderr]).toEqual([1, DEVELOPMENT_VERSION_REFUSED]);
      } finally {
        await old.drop();
      }
    },
  );

  it('makes the owner a member with bootstrap --email', async () => {
    const fresh = await createTestDatabase(services.postgresUrl);
    try {
      await migrate(fresh);
      const own = { UNDERSTUDY_DATABASE_URL: fresh.url };
      const refused = await run(['bootstrap', '--org', 'Acme', '--email', 'ada@'], own);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      for (const wrong of ['a..b@x.io', 'a@-x.io', 'x@x..io', `${'a'.repeat(65)}@x.io`, '\u200b@x.io']) {
        const { code, stderr } = await run(['bootstrap', '--org', 'Acme', '--email', wrong], own);
        expect([wrong, code, stderr]).toEqual([
          wrong,
          2,
          expect.stringContaining('expected an e-mail address of at most 254 characters, got a string of'),
        ]);
      }
      const made = await run(['bootstrap', '--org', 'Acme', '--email', 'Ada@example.com', '--json'], own);
      const { member_id } = JSON.parse(made.stdout) as { member_id: string };
      const { rows } = await fresh.query(
        'SELECT m.id, email, m.role, joined_at IS NOT NULL AS joined FROM members m JOIN api_tokens t ON t.member_id = m.id',
      );
      expect(rows).toEqual([{ id: member_id, email: 'Ada@example.com', role: 'owner', joined: true }]);
    } finally {
      await fresh.drop();
    }
  });

  it('creates further organisations with org create, each name once', async () => {
    const made = await run(['org', 'create', '--name', 'Second', '--json']);
    expect([made.code, JSON.parse(made.stdout)]).toEqual([
      0,
      { org_id: expect.stringMatching(/^org_/), api_token: expect.stringMatching(/^us_live_/) },
    ]);
    const { rows } = await database.query(`SELECT plan FROM organizations WHERE name = 'Second'`);
    expect(rows).toEqual([{ plan: 'free' }]);
    for (const similar of ['SECOND', 'Sec\u200bond', 'Ｓecond', ' Second', 'Seco\u034fnd']) {
      const again = await run(['org', 'create', '--name', similar]);
      expect([similar, again.code, again.stdout]).toEqual([similar, 1, '']);
      expect(again.stderr).toContain(
        'an organisation of this name, or of one that is easily confused with it',
      );
    }
    expect((await run(['org', 'create', '--name', '\u200b\u2800'])).code).toBe(2);
  });

  it('creates one organisation if several commands use similar names in parallel', async () => {
    const names = ['Kiosk  1', 'kiosk\t1', '\u212aiosk 1', 'KIOSK\u00a01'];
    const results = await Promise.all(
      names.map((name) => runCommand(['org', 'create', '--name', name], { environment: env })),
    );
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1]);
  });

  it('creates organisations whose names only differ in the case of other letters than A to Z', async () => {
    for (const name of ['Éclair', 'éclair'])
      expect((await run(['org', 'create', '--name', name])).code).toBe(0);
  });

  it('changes the plan of an existing organisation with org set-plan and records the change', async () => {
    const { rows } = await database.query(`SELECT id FROM organizations WHERE name = 'Second'`);
    const id = String(rows[0]?.['id']);
    const setPlan = (plan: string, org = id) =>
      run(['org', 'set-plan', '--org', org, '--plan', plan, '--json']);
    const changed = await setPlan('team');
    expect([changed.code, JSON.parse(changed.stdout)]).toEqual([
      0,
      { org_id: id, plan: 'team', plan_before: 'free' },
    ]);
    expect(JSON.parse((await setPlan('team')).stdout)).toMatchObject({ plan_before: 'team' });
    const entries = await database.query(
      `SELECT actor_type, details FROM audit_entries WHERE target_id = $1 AND action = 'organization.plan_changed'`,
      [id],
    );
    expect(entries.rows).toEqual([{ actor_type: 'command_line', details: { from: 'free', to: 'team' } }]);
    const none = await setPlan('team', `org_${'0'.repeat(26)}`);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('expected the id of an existing organisation'),
    ]);
    expect((await setPlan('gold')).code).toBe(2);
  });

  it('erases only the address of a removed member with member forget', async () => {
    const { rows } = await database.query(`SELECT id FROM organizations WHERE name = 'Second'`);
    const member = `mem_${'0'.repeat(26)}`;
    await database.query('INSERT INTO audit_subjects VALUES ($1, $2, $3)', [
      member,
      rows[0]?.['id'],
      'gone@example.com',
    ]);
    const forgotten = await run(['member', 'forget', '--member', member]);
    expect([forgotten.code, forgotten.stdout]).toEqual([0, 'The address is erased.\n']);
    const again = await run(['member', 'forget', '--member', member]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('remove the member first')]);
    expect((await run(['member', 'forget', '--member', 'x'])).code).toBe(2);
  });

  it('creates a link for exactly one member with sign-in-link', async () => {
    const { rows } = await database.query(`SELECT id FROM organizations ORDER BY name`);
    const [first, second] = rows.map(({ id }) => String(id));
    const insert = `INSERT INTO members (id, organization_id, email, email_key, role, invited_at, joined_at)
      VALUES ($1, $2, 'Ada@Example.com', 'ada@example.com', 'viewer', now(), now())`;
    const member = `mem_${'1'.repeat(26)}`;
    await database.query(insert, [member, first]);
    const link = (...args: string[]) => run(['sign-in-link', ...args], { ...env, UNDERSTUDY_PORT: '8080' });
    const made = await link('--member', 'ADA@example.com', '--json');
    expect([made.code, JSON.parse(made.stdout)]).toEqual([
      0,
      {
        member_id: member,
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/dashboard\/sign-in#link=us_link_[\w-]{43}$/),
        expires_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await link('--member', member)).stdout).toMatch(/^http:.*\nThe link works once, until .*Z\.\n$/);
    await database.query(insert, [`mem_${'2'.repeat(26)}`, second]);
    const ambiguous = await link('--member', 'ada@example.com');
    expect([ambiguous.code, ambiguous.stderr]).toEqual([1, expect.stringContaining('add --org <id>')]);
    expect((await link('--member', 'ada@example.com', '--org', String(second))).code).toBe(0);
    // An earlier version let one organisation have both.
    for (const [digit, address] of [
      ['6', 'a@xn--4ca.de'],
      ['7', 'a@\u00e4.de'],
    ] as const)
      await database.query(
        insert.replace("'Ada@Example.com', 'ada@example.com'", `'${address}', '${address}'`),
        [...[`mem_${digit.repeat(26)}`, first]],
      );
    for (const args of [[], ['--org', String(first)]]) {
      const ambiguous = await link('--member', 'a@\u00e4.de', ...args);
      expect([ambiguous.code, ambiguous.stderr]).toEqual([1, expect.stringMatching(/mem_6{26}.*mem_7{26}/)]);
      expect(ambiguous.stderr).not.toContain('add --org');
    }
    expect((await link('--member', `mem_${'7'.repeat(26)}`)).code).toBe(0);
    const nobody = await link('--member', 'nobody@example.com');
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('check --member and --org')]);
    expect((await link('--member', 'x')).code).toBe(2);
    // Another person's address with the same key neither gets the link nor makes the command fail.
    await database.query(
      insert.replace("'Ada@Example.com', 'ada@example.com'", "'\u212aim@example.com', 'kim@example.com'"),
      [`mem_${'3'.repeat(26)}`, second],
    );
    const other = await link('--member', 'kim@example.com');
    expect([other.code, other.stdout]).toEqual([1, '']);
    await database.query(insert.replace(/'ada@/i, "'Kim@").replace("'ada@", "'kim@"), [
      `mem_${'4'.repeat(26)}`,
      first,
    ]);
    expect((await link('--member', 'kim@example.com')).code).toBe(0);
    const entries = await database.query(
      `SELECT actor_type, details ->> 'member_id' AS member FROM audit_entries WHERE action = 'sign_in_link.created'`,
    );
    expect(entries.rows).toHaveLength(5);
    expect(entries.rows[0]).toEqual({ actor_type: 'command_line', member });
  });

  it('creates a token of an existing organisation with token create', async () => {
    const { rows } = await database.query(`SELECT id FROM organizations WHERE name = 'Second'`);
    const args = ['token', 'create', '--org', String(rows[0]?.['id']), '--role', 'member', '--json'];
    const made = await run([...args, '--scopes', 'jobs:read', 'generate', '--expires-in-days', '3']);
    const { id, token } = JSON.parse(made.stdout) as { id: string; token: string };
    const stored = await database.query(
      'SELECT role, scopes, expires_at - created_at AS lifetime FROM api_tokens WHERE id = $1',
      [id],
    );
    expect(stored.rows).toEqual([
      { role: 'member', scopes: ['jobs:read', 'generate'], lifetime: expect.objectContaining({ days: 3 }) },
    ]);
    const entries = await database.query(
      `SELECT actor_type, action, details::text FROM audit_entries WHERE target_id = $1`,
      [id],
    );
    expect(entries.rows).toMatchObject([{ actor_type: 'command_line', action: 'token.created' }]);
    expect(JSON.stringify(entries.rows)).not.toContain(token);
    const refused = await run([...args, '--name', 'COMMAND\u00a0 line']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('easily confused with it')]);
    expect((await run(args)).code).toBe(0);
    const names = await database.query(
      `SELECT name FROM api_tokens WHERE name LIKE 'command%' ORDER BY name`,
    );
    expect(names.rows).toEqual([{ name: 'command line' }, { name: 'command line 2' }]);
    for (const wrong of [
      ['--name', '\u200b'],
      ['--role', 'root'],
      ['--scopes', 'everything'],
      ['--expires-in-days', '366'],
    ])
      expect((await run([...args, ...wrong])).code).toBe(2);
    const none = await run(['token', 'create', '--org', `org_${'0'.repeat(26)}`, '--role', 'viewer']);
    expect(none.stderr).toContain('expected the id of an existing organisation');
  });

  it('requires an existing organisation for agent enrolment-token', async () => {
    const { rows } = await database.query('SELECT id FROM organizations');
    const publicEnv = { ...env, UNDERSTUDY_PUBLIC_URL: 'https://understudy.example.com/' };
    const args = ['agent', 'enrolment-token', '--org', String(rows[0]?.['id'])];
    const made = await run([...args, '--json'], publicEnv);
    const install = installLines('https://understudy.example.com');
    expect(JSON.parse(made.stdout)).toEqual({
      token: expect.any(String),
      expires_at: expect.stringMatching(/Z$/),
      install,
    });
    const shown = (await run(args, publicEnv)).stdout;
    for (const line of Object.values(install).flat()) expect(shown).toContain(line);
    const none = await run(['agent', 'enrolment-token', '--org', `org_${'0'.repeat(26)}`]);
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('expected the id of an existing organisation');
  });

  it.each([
    ['start', ''],
    ['dev', ''],
    ['migrate', ''],
    ['bootstrap', '--org <name>'],
    ['org create', '--name <name>'],
    ['token create', '--org <id>'],
    ['sign-in-link', '--member <member>'],
    ['agent enrolment-token', '--org <id>'],
    ['operations', ''],
  ])('prints help with an example for %s and refuses unknown options', async (command, needed) => {
    const args = command.split(' ');
    const help = await run([...args, '--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(
      new RegExp(`Example:\\n  \\$ understudy-control-plane (--config \\S+ )?${command}`),
    );
    expect(help.stdout).toContain(needed);
    const unknown = await run([...args, '--surprise']);
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toContain('(run with --help for the available options)');
    if (needed === '') return;
    const incomplete = await run(args);
    expect([incomplete.code, incomplete.stdout]).toEqual([2, '']);
    expect(incomplete.stderr).toContain('required option');
  });

  it.each([['migrate'], ['bootstrap', '--org', 'Away'], ['org', 'create', '--name', 'Away']])(
    'reports for %s that the database is unreachable, without its password',
    async (...args) => {
      const away = 'postgresql://understudy:canary-password@127.0.0.1:1/none';
      const { code, stdout, stderr } = await run(args, { ...env, UNDERSTUDY_DATABASE_URL: away });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('understudy-control-plane: ');
      expect(stderr).not.toContain('canary');
    },
  );

  it('reports invalid arguments and environment variables', async () => {
    expect((await run(['bootstrap', '--org', 'A', '--plan', 'gold'])).code).toBe(2);
    const unset = await run(['migrate'], {});
    expect(unset.code).toBe(2);
    expect(unset.stderr).toContain('UNDERSTUDY_DATABASE_URL is not set');
    expect((await run(['bootstrap', '--help'])).stdout).toContain('Example:');
  });
});
