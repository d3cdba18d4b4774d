import { describeGuides, OTHER_GUIDES } from './describe-guides.js';

jest.setTimeout(300_000); // runs every command of a guide in one test

describe('the documentation', () => describeGuides(OTHER_GUIDES));
