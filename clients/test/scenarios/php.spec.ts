import { playScenarios } from '../support/play-scenarios.js';

playScenarios('php');
