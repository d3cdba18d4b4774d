import { describeWith, startTestBucketServer, type TestBucketServer } from '@understudy/testing';
import { archiveOf, bytesOf, storeOf } from '../laws/archives.js';
import { bucketUnderTest, makeBucket, optionsOf } from '../laws/bucket-under-test.js';
import { killAtLine } from './kill-program.js';
import { describeKillsInFolder, isWhole } from './killed-in-folder.js';

describeKillsInFolder(1);
describeWith('a store in a bucket whose process is killed with SIGKILL', 'swift', () => {
  let server: TestBucketServer;
  beforeAll(async () => {
    server = await startTestBucketServer();
    await makeBucket(server, 'killed');
  });
  afterAll(() => server?.stop());

  it.each(['begins writing', 'done writing', 'begins removing'])(
    'has only whole archives and files that can be swept after “%s”',
    async (line) => {
      const prefix = `${line.replace(' ', '-')}/`;
      const under = bucketUnderTest(server, 'killed', prefix);
      await archiveOf(storeOf(under), 'a', { 'toc.dat': bytesOf(10), '1.dat': bytesOf(10) });
      const location = { ...optionsOf(server, 'killed'), prefix };
      await isWhole(under, await killAtLine(location, 'makeAndRemove', line));
      under.close();
    },
  );
});
