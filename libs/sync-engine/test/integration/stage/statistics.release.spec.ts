import './statistics.spec.js';
