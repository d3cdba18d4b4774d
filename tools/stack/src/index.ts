export { stackDown, stackStatus, stackUp, type StackInfo, type StackOptions } from './stack/stack.js';
