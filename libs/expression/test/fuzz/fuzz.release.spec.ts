import { programLaws } from './program-laws.js';

programLaws(100_000);
