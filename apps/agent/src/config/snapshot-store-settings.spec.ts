import { readSnapshotStoreSettings } from './snapshot-store-settings.js';

const read = (env: Record<string, string>) => {
  const problems: string[] = [];
  return { settings: readSnapshotStoreSettings(env, problems), problems };
};
const BUCKET = 'UNDERSTUDY_AGENT_SNAPSHOT_BUCKET';
const PREFIX = 'UNDERSTUDY_AGENT_SNAPSHOT_PREFIX';
const ENDPOINT = 'UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT';

describe('where snapshots are kept', () => {
  it('is the state folder unless something is said', () => {
    expect(read({})).toEqual({ settings: {}, problems: [] });
  });

  it('is a folder, or a bucket with a region, an endpoint and folders in it', () => {
    const folder = { UNDERSTUDY_AGENT_SNAPSHOT_DIR: '/mnt/snapshots' };
    expect(read(folder).settings).toEqual({ folder: '/mnt/snapshots' });
    const work = { UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR: '/run/understudy' };
    expect(read(work).settings).toEqual({ workFolder: '/run/understudy' });
    const bucket = {
      [BUCKET]: 'our-snapshots',
      [PREFIX]: '/staging/a/',
      [ENDPOINT]: 'http://127.0.0.1:9000',
      UNDERSTUDY_AGENT_SNAPSHOT_REGION: 'eu-central-1',
    };
    expect(read(bucket)).toEqual({
      settings: {
        bucket: {
          name: 'our-snapshots',
          region: 'eu-central-1',
          endpoint: 'http://127.0.0.1:9000',
          prefix: 'staging/a/',
        },
      },
      problems: [],
    });
  });

  it.each([
    ['a relative folder', { UNDERSTUDY_AGENT_SNAPSHOT_DIR: 'here' }, 'UNDERSTUDY_AGENT_SNAPSHOT_DIR'],
    [
      'a relative key file',
      { UNDERSTUDY_AGENT_SNAPSHOT_KEY_FILE: 'key' },
      'UNDERSTUDY_AGENT_SNAPSHOT_KEY_FILE',
    ],
    [
      'a relative working folder',
      { UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR: 'work' },
      'UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR',
    ],
    ['both', { UNDERSTUDY_AGENT_SNAPSHOT_DIR: '/a', [BUCKET]: 'abc' }, 'set one of them'],
    ['no name of a bucket', { [BUCKET]: 'Not/One' }, BUCKET],
    ['plain http to elsewhere', { [BUCKET]: 'abc', [ENDPOINT]: 'http://s3.example.com' }, ENDPOINT],
    ['no URL', { [BUCKET]: 'abc', [ENDPOINT]: 'minio' }, ENDPOINT],
    ['a prefix that leads up', { [BUCKET]: 'abc', [PREFIX]: 'a/../b' }, PREFIX],
  ])('with %s is refused', (_, env, expected) => {
    expect(read(env).problems.join()).toContain(expected);
  });
});
