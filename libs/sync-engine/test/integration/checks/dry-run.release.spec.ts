import './dry-run.spec.js';
