import { programLaws } from './program-laws.js';

programLaws(20_000);
