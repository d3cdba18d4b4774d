import { describeNetworks } from './support/two-networks.js';

describeNetworks('two-ports');
