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
    const ids = Array.from({ length: 25 }, (_, i) => `rst_01ARZ3NDEKTSV4RRFFQ69G5F${i + 10}`);
    for (const [i, id] of ids.entries()) {
      const earlier = ["'; DROP", ...ids.slice(0, i)];
      await onTargetServer(target, (client) => client.query(setMarker(name, id, earlier)));
    }
    expect(await restores()).toEqual(ids.slice(-21));
    await onTargetServer(target, (client) => client.query(setMarker(name, 'rst_3', ['rst_2'])));
    await removeMarker(target, 'rst_1');
    expect(await restores()).toEqual(['rst_2', 'rst_3']);
    await removeMarker(target, 'rst_3');
    expect(await restores()).toEqual(['rst_2']);
    await removeMarker(target, 'rst_2');
    expect(await restores()).toEqual([]);
  });
});
