import { hostileModelLaws } from './hostile-model-laws.js';

hostileModelLaws({ ways: 2_000, followers: 1_000, longest: 40, impossible: 30_000 });
