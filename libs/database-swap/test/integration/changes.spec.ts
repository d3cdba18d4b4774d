import { parseConnectionUrl } from '@understudy/postgres';
import {
  createTestDatabase,
  sharedTestServices,
  type SharedTestServices,
  type TestDatabase,
} from '@understudy/testing';
import { onTargetServer, readChanges, recordChange } from '../../src/index.js';

describe('the changes of a database', () => {
  let services: SharedTestServices;
  let database: TestDatabase;
  beforeAll(async () => {
    services = await sharedTestServices({ postgres: true });
  });
  beforeEach(async () => {
    database = await createTestDatabase(services.postgresUrl);
  });
  afterAll(() => services.stop());

  const target = () => parseConnectionUrl(database.url);
  const changes = () => onTargetServer(target(), (client) => readChanges(client, database.name));
  const record = (change: string, earlier: readonly string[]) =>
    onTargetServer(target(), (client) => client.query(recordChange(database.name, change, earlier)));

  it('are recorded in their order, each once, without text that is no id', async () => {
    const ids = Array.from({ length: 220 }, (_, i) => `rst_01ARZ3NDEKTSV4RRFFQ69G5${i + 100}`);
    await record('job_2', ["'; DROP", 'job_1', 'job_1', 'job_2', ...ids]);
    expect(await changes()).toEqual([...ids.slice(-200), 'job_2']);
    await record('job_3', ['job_1']);
    expect(await changes()).toEqual(['job_1', 'job_3']);
  });

  it('count if their role may rename the database, and end with the latest of all roles', async () => {
    const [stranger, owner] = ['stranger', 'owner'].map((name) => `${name}_of_${database.name}`);
    const set = (role: string | undefined, ids: string) =>
      database.query(
        `ALTER ROLE ${role} IN DATABASE ${database.name} SET application_name = 'understudy restored ${ids}'`,
      );
    await database.query(`CREATE ROLE ${stranger}; CREATE ROLE ${owner}`);
    await set(stranger, 'job_9');
    expect(await changes()).toEqual([]);
    await database.query(`ALTER DATABASE ${database.name} OWNER TO ${owner}`);
    await record('job_1', []);
    await set(owner, 'job_1 job_2 job_3');
    expect(await changes()).toEqual(['job_1', 'job_2', 'job_3']);
  });
});
