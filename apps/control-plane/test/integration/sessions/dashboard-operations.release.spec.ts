import './dashboard-operations.spec.js';
