import './orphans.spec.js';
