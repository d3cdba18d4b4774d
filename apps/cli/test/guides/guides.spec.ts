import { blocksOf, describeGuides, OTHER_GUIDES, SHORT_LIST } from './describe-guides.js';

jest.setTimeout(300_000); // runs every command of a guide in one test

describe('the documentation', () => {
  describeGuides(SHORT_LIST);

  it.each(OTHER_GUIDES)('names the language of each block in %s', (page) => {
    expect(() => blocksOf(page)).not.toThrow();
  });
});
