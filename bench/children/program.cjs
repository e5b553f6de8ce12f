// Runs a program in this process and writes at its end what it took. With `--import` each of its threads would load that too, and be measured.
const { writeFileSync } = require('node:fs');

const [node, , report, program, ...args] = /** @type {[string, string, string, string, ...string[]]} */ (process.argv);
process.argv = [node, program, ...args];
process.on('exit', () => writeFileSync(report, JSON.stringify(process.resourceUsage())));
require(program);
