import { EnvironmentReader } from '@understudy/operator-commands';

import { readSnapshotStoreSettings } from './snapshot-store-settings.js';

const read = (env: Record<string, string>) => {
  const reader = new EnvironmentReader(env);
  return { settings: readSnapshotStoreSettings(reader), problems: reader.problems };
};
const BUCKET = 'UNDERSTUDY_AGENT_SNAPSHOT_BUCKET';
const PREFIX = 'UNDERSTUDY_AGENT_SNAPSHOT_PREFIX';
const ENDPOINT = 'UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT';

describe('the settings of the snapshot store', () => {
  it('are empty if no variable is set', () => {
    expect(read({})).toEqual({ settings: {}, problems: [] });
  });

  it('name a folder, or a bucket with a region, an endpoint and a prefix', () => {
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
    [
      'both a folder and a bucket',
      { UNDERSTUDY_AGENT_SNAPSHOT_DIR: '/a', [BUCKET]: 'abc' },
      'set only one of them',
    ],
    ['an invalid bucket name', { [BUCKET]: 'Not/One' }, BUCKET],
    ['plain http to another machine', { [BUCKET]: 'abc', [ENDPOINT]: 'http://s3.example.com' }, ENDPOINT],
    ['an endpoint that is not a URL', { [BUCKET]: 'abc', [ENDPOINT]: 'minio' }, ENDPOINT],
    ['a prefix with ..', { [BUCKET]: 'abc', [PREFIX]: 'a/../b' }, PREFIX],
  ])('are refused with %s', (_, env, expected) => {
    expect(read(env).problems.join()).toContain(expected);
  });

  it('are refused with all problems at once, also if the bucket is invalid', () => {
    const env = {
      UNDERSTUDY_AGENT_SNAPSHOT_DIR: '/a',
      [BUCKET]: 'Not/One',
      [ENDPOINT]: 'minio',
      [PREFIX]: '..',
    };
    expect(read(env).problems).toEqual([
      expect.stringContaining(BUCKET),
      expect.stringContaining(ENDPOINT),
      expect.stringContaining(PREFIX),
      expect.stringContaining('set only one of them'),
    ]);
  });
});
