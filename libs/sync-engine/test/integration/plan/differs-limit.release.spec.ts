import './differs-limit.spec.js';
