import { describePackages } from './package-tests.js';

jest.setTimeout(300_000); // packs and installs the package of a language before its tests

describePackages(['by its name']);
