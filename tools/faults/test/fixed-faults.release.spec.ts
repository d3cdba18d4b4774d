import { FIXED_FAULTS } from '../src/faults/all-faults.js';
import { describeFaults } from './inject-faults.js';

jest.setTimeout(600_000); // each fault runs through a whole job, with restarts and leases

describeFaults(FIXED_FAULTS);
