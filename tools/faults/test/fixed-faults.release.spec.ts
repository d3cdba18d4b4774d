import { FIXED_FAULTS } from '../src/faults/all-faults.js';
import { describeFaults } from './inject-faults.js';

jest.setTimeout(300_000); // a round waits at most two minutes for its job, and then for the cleanup

describeFaults(FIXED_FAULTS);
