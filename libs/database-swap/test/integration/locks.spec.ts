import { connect, type EngineLog, parseConnectionUrl, quoteIdentifier } from '@understudy/postgres';
import {
  createTestDatabase,
  sharedTestServices,
  type SharedTestServices,
  type TestDatabase,
  waitFor,
} from '@understudy/testing';
import { lockTarget, untilReplaced, withLockedTarget } from '../../src/index.js';

const SILENT: EngineLog = { error: ignore, warn: ignore, info: ignore, debug: ignore };
const NEVER = new AbortController().signal;

function ignore(): void {}

describe('the locks of a target', () => {
  let services: SharedTestServices;
  let database: TestDatabase;
  let admin: TestDatabase;
  beforeAll(async () => {
    services = await sharedTestServices({ postgres: true });
    admin = await createTestDatabase(services.postgresUrl);
  });
  afterAll(() => services.stop());
  beforeEach(async () => {
    database = await createTestDatabase(services.postgresUrl, 'CREATE TABLE done (work text)');
    await free(database.name);
  });

  /** Ends the idle sessions of a test database, which would keep it from being renamed. */
  const free = (name: string) =>
    admin.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [name]);

  interface Work {
    readonly name: string;
    /** Logs what the work waits for. */
    readonly log?: EngineLog;
    /** Called while the work holds its lock, after it has read the database. */
    readonly inside?: () => Promise<void>;
    readonly signal?: AbortSignal;
  }

  /** Works inside the database, as a job that copies tables does. */
  const change = async ({ name, log = SILENT, inside = async () => undefined }: Work): Promise<void> => {
    const target = parseConnectionUrl(database.url);
    for (;;) {
      const client = await connect(target, 'target', name);
      try {
        if (!(await lockTarget(client, log)).isBeingReplaced) {
          await inside();
          await client.query('INSERT INTO public.done VALUES ($1)', [name]);
          return;
        }
      } finally {
        await client.end();
      }
      await untilReplaced(target, { log, signal: NEVER });
    }
  };

  /** Replaces the database by a copy that has one row more. */
  const replace = ({ name, log = SILENT, inside = async () => undefined, signal = NEVER }: Work) =>
    withLockedTarget(
      parseConnectionUrl(database.url),
      { name, log, signal },
      async ({ client, isInTarget }) => {
        expect(isInTarget).toBe(false);
        const [current, copy, old] = ['', '_copy', '_old'].map((end) => quoteIdentifier(database.name + end));
        await client.query(`CREATE DATABASE ${copy} TEMPLATE ${current}`);
        await inside();
        const own = await connect(parseConnectionUrl(`${database.url}_copy`), 'target', name);
        await own.query('INSERT INTO public.done VALUES ($1)', [name]);
        await own.end();
        await client.query(
          `BEGIN; ALTER DATABASE ${current} RENAME TO ${old}; ALTER DATABASE ${copy} RENAME TO ${current}; COMMIT`,
        );
        await client.query(`DROP DATABASE ${old}`);
      },
    );

  const done = async (): Promise<unknown[]> => {
    const { rows } = await database.query('SELECT work FROM done ORDER BY work');
    await free(database.name);
    return rows.map(({ work }) => work);
  };

  const WORK = { change, replace };
  const PAIRS = (['change', 'replace'] as const).flatMap((first) =>
    (['change', 'replace'] as const).map((second) => [first, second] as const),
  );

  it.each(PAIRS)(
    'let a %s end before a %s begins, which logs for whom it waits and loses nothing',
    async (first, second) => {
      const order: string[] = [];
      const waits: unknown[] = [];
      let isSeen: () => void = ignore;
      const seen = new Promise<void>((resolve) => (isSeen = resolve));
      const later: Promise<void>[] = [];
      const log = {
        ...SILENT,
        warn: (facts: object) => {
          waits.push(facts);
          isSeen();
        },
      };
      await WORK[first]({
        name: 'understudy a 1',
        inside: async () => {
          later.push(
            WORK[second]({ name: 'understudy b 1', log, inside: async () => void order.push('second') }),
          );
          await seen;
          order.push('first');
        },
      });
      await Promise.all(later);
      expect(order).toEqual(['first', 'second']);
      expect(waits[0]).toMatchObject({ holders: [{ name: 'understudy a 1', isOwn: true }] });
      expect(await done()).toEqual(['understudy a 1', 'understudy b 1']);
    },
  );

  it('lose no change and no replacement of eight concurrent ones', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `understudy job_${i} 1`);
    let inside = 0;
    const enter = async () => {
      expect((inside += 1)).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    await Promise.all(names.map((name, i) => (i % 3 === 0 ? replace : change)({ name, inside: enter })));
    expect(await done()).toEqual(names);
  });

  it('leave no session in the database while it is being replaced', async () => {
    const sessions = async () => {
      const { rows } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [database.name]);
      return rows.length;
    };
    let waiting: Promise<void> | undefined;
    await replace({
      name: 'understudy a 1',
      inside: async () => {
        await new Promise<void>((resolve) => {
          waiting = change({ name: 'understudy b 1', log: { ...SILENT, warn: () => resolve() } });
        });
        await waitFor('the waiting work to leave', async () => (await sessions()) === 0);
      },
    });
    await waiting;
    expect(await done()).toEqual(['understudy a 1', 'understudy b 1']);
  });

  it('go to a later attempt at the same work, which ends the session of the older one', async () => {
    let isHeld: () => void = ignore;
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    void replace({
      name: 'understudy a 1',
      inside: () => {
        isHeld();
        return new Promise(() => undefined);
      },
    });
    await held;
    await admin.query(`DROP DATABASE ${database.name}_copy`);
    await replace({ name: 'understudy a 2' });
    expect(await done()).toEqual(['understudy a 2']);
  });

  it('are no longer waited for when the signal aborts', async () => {
    const abort = new AbortController();
    await change({
      name: 'understudy a 1',
      inside: async () => {
        const log = { ...SILENT, warn: () => abort.abort(new Error('stopped')) };
        await expect(replace({ name: 'understudy b 1', log, signal: abort.signal })).rejects.toThrow(
          'stopped',
        );
      },
    });
    await replace({ name: 'understudy c 1' });
    expect(await done()).toEqual(['understudy a 1', 'understudy c 1']);
  });

  describe('if another role holds one of them', () => {
    let stranger: string;
    beforeEach(async () => {
      stranger = `stranger_${database.name}`;
      await admin.query(`CREATE ROLE ${stranger} LOGIN PASSWORD 'pw'`);
    });

    const connectTo = (name: string) => {
      const url = Object.assign(new URL(`${services.postgresUrl}/${name}`), {
        username: stranger,
        password: 'pw',
      });
      return connect(parseConnectionUrl(url.href), 'target');
    };

    const LOCK = 'SELECT pg_catalog.pg_advisory_lock(pg_catalog.hashtextextended($1, 0))';

    const heldBy = async (name: string, key: string, work: () => Promise<void>): Promise<void> => {
      const client = await connectTo(name);
      await client.query(LOCK, [key]);
      const location = { code: 'target_lock_held', side: 'target' };
      const problems = [{ ...location, objectRole: stranger }];
      await expect(work()).rejects.toMatchObject({ failure: { ...location, problems } });
      await client.end();
    };

    it.each([
      ['the target lock', 'understudy'],
      ['the lock on the name', 'name'],
    ])('refuse to wait for %s', async (_, key) => {
      const [where, text] =
        key === 'name' ? ['postgres', `understudy ${database.name}`] : [database.name, key];
      await heldBy(where, text, () => change({ name: 'understudy a 1' }));
      await heldBy(where, text, () => replace({ name: 'understudy b 1' }));
      await free(database.name);
      await replace({ name: 'understudy c 1' });
      expect(await done()).toEqual(['understudy c 1']);
    });

    it('ignore a lock on the name in a database in which nobody locks names', async () => {
      const client = await connectTo(admin.name);
      await client.query(LOCK, [`understudy ${database.name}`]);
      await change({ name: 'understudy a 1' });
      await replace({ name: 'understudy b 1' });
      await client.end();
      expect(await done()).toEqual(['understudy a 1', 'understudy b 1']);
    });
  });

  it('exclude a replacement that has its lock in another maintenance database', async () => {
    const other = await connect(parseConnectionUrl(admin.url), 'target', 'understudy a 1');
    await other.query('SELECT pg_catalog.pg_advisory_lock(pg_catalog.hashtextextended($1, 0))', [
      `understudy ${database.name}`,
    ]);
    let isWaiting: () => void = ignore;
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
    const inside = jest.fn(async () => undefined);
    const running = replace({ name: 'understudy b 1', log: { ...SILENT, warn: () => isWaiting() }, inside });
    await waiting;
    expect(inside).not.toHaveBeenCalled();
    await other.end();
    await running;
    expect(await done()).toEqual(['understudy b 1']);
  });
});
