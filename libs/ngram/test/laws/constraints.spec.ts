import { constraintLaws } from './constraint-laws.js';

constraintLaws(60);
