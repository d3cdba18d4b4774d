import { parseConnectionUrl } from '@understudy/postgres';
import { createTestDatabase, sharedTestServices, type SharedTestServices } from '@understudy/testing';
import { onTargetServer, readProperties, removeMarker, setMarker } from '../../src/index.js';

describe('removeMarker', () => {
  let services: SharedTestServices;
  beforeAll(async () => {
    services = await sharedTestServices({ postgres: true });
  });
  afterAll(() => services.stop());

  it('removes the marker of its own restore, and keeps that of a restore which has replaced the database since', async () => {
    const { url, name } = await createTestDatabase(services.postgresUrl);
    const target = parseConnectionUrl(url);
    const restores = async () =>
      (await onTargetServer(target, (client) => readProperties(client, name)))?.restores;
    await onTargetServer(target, (client) => client.query(setMarker(name, 'rst_2')));
    await removeMarker(target, 'rst_1');
    expect(await restores()).toEqual(['rst_2']);
    await removeMarker(target, 'rst_2');
    expect(await restores()).toEqual([]);
  });
});
