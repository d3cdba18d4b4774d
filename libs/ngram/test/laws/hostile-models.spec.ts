import { hostileModelLaws } from './hostile-model-laws.js';

hostileModelLaws({ ways: 700, followers: 400, longest: 10, impossible: 10_000 });
