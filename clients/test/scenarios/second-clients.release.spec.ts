import { playSharedScenarios } from '../support/play-scenarios.js';

playSharedScenarios();
