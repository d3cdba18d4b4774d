import { describeNetworks } from './support/two-networks.js';

describeNetworks('proxy');
