#!/usr/bin/env node
import 'reflect-metadata';

import { runCommandLine } from './command-line.js';

void runCommandLine(process.argv.slice(2));
