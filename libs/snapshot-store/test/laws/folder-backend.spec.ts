import { describeDamage } from './damage-laws.js';
import { describeDrafts } from './draft-laws.js';
import { describeStore } from './store-laws.js';
import { folderUnderTest } from './folder-under-test.js';

const made: Awaited<ReturnType<typeof folderUnderTest>>[] = [];

async function makeFolder() {
  const folder = await folderUnderTest();
  made.push(folder);
  return folder;
}

afterEach(async () => {
  for (const folder of made.splice(0)) await folder.remove();
});

describe('a store in a folder', () => {
  describeStore(makeFolder, 60);
  describeDamage(makeFolder, 40);
  describeDrafts(makeFolder);
});
