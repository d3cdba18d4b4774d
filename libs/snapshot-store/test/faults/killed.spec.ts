import { describeKillsInFolder } from './killed-in-folder.js';

describeKillsInFolder(3);
