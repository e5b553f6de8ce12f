#!/usr/bin/env node
'use strict';

// CommonJS and old syntax on purpose: a Node that is too old for the program must still be able to read this file.
const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '..');
const isCheckout = fs.existsSync(path.join(root, 'src'));
const needed = require('../package.json').engines.node.replace('>=', '');

if (isOlder(process.versions.node, needed)) {
  const remedy = isCheckout
    ? 'In a checkout run: npm run -s skein -- ARGUMENTS'
    : 'Install a newer Node.js and try again.';
  process.stderr.write(`skein needs Node.js ${needed} or newer, this is ${process.versions.node}. ${remedy}\n`);
  process.exitCode = 2;
} else {
  start();
}

/**
 * @param {string} version
 * @param {string} than
 */
function isOlder(version, than) {
  const a = version.split('.').map(Number);
  const b = than.split('.').map(Number);
  return a[0] === b[0] ? Number(a[1]) < Number(b[1]) : Number(a[0]) < Number(b[0]);
}

function start() {
  // Node 22 says with every command that SQLite is new to it.
  const warn = process.emitWarning;
  process.emitWarning = /** @type {typeof warn} */ (
    (/** @type {unknown[]} */ ...args) => {
      if (!/SQLite is an experimental/.test(String(args[0]))) Reflect.apply(warn, process, args);
    }
  );
  const keepCompiledCode = require('./compile-cache.cjs');
  keepCompiledCode();
  import(isCheckout && !isBundled() ? '../src/cli/main.ts' : '../dist/cli/main.js');
}

/** Whether `dist` was made from the sources as they are: it starts in half the time. */
function isBundled() {
  try {
    /** @type {[string, number][]} */
    const sources = JSON.parse(fs.readFileSync(path.join(root, 'dist/sources.json'), 'utf8'));
    return sources.every((source) => fs.statSync(root + source[0]).mtimeMs === source[1]);
  } catch (_error) {
    return false;
  }
}
